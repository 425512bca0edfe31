/** The default target folder of uploads: the open folder, or the top. */
import { useLocationProperty } from 'wouter/use-browser-location'
import { lowerCased } from '../../../src/contract/paths/paths.ts'
import { shownFiles } from '../state/addresses.ts'

/** The service lower-cases uploads, folders included. */
export const useUploadFolder = () => useLocationProperty(() => lowerCased(shownFiles()?.ordner ?? ''))
