/** The default target folder of uploads: the open one, or the top; of a limited account its first folder. */
import { useLocationProperty } from 'wouter/use-browser-location'
import { lowerCased } from '../../../src/contract/paths/paths.ts'
import { shownFiles } from '../state/addresses.ts'
import { mayPutInto, rights } from '../state/rights.ts'

/** The service lower-cases uploads, folders included. */
export const useUploadFolder = () => useLocationProperty(uploadFolder)

function uploadFolder(): string {
  const folder = lowerCased(shownFiles()?.ordner ?? '')
  return mayPutInto(folder) ? folder : (rights.get().folders?.[0] ?? '')
}
