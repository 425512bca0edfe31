/**
 * The default target folder of uploads: the open folder, or the top folder if none is open. For an account
 * that is limited to folders and may not upload into the open one, it is the first of its folders.
 */
import { useLocationProperty } from 'wouter/use-browser-location'
import { lowerCaseAscii } from '../../../src/contract/paths/lower-case.ts'
import { currentFilesSearch } from '../state/addresses.ts'
import { mayAddFiles, rights } from '../state/rights.ts'

/**
 * The open folder is lower-cased, because the service lower-cases the paths of uploads, including their
 * folders.
 */
export const useUploadFolder = () => useLocationProperty(findUploadFolder)

function findUploadFolder(): string {
  const folder = lowerCaseAscii(currentFilesSearch()?.ordner ?? '')
  return mayAddFiles(folder) ? folder : (rights.get().folders?.[0] ?? '')
}
