/** The folder that uploads go to unless another one is named: the open folder, or the top. */
import { useLocationProperty } from 'wouter/use-browser-location'
import { lowerCased } from '../../../src/contract/paths/paths.ts'
import { shownFiles } from '../state/addresses.ts'

/** The service stores uploads in small letters, the folder's name included. */
export const useUploadFolder = () => useLocationProperty(() => lowerCased(shownFiles()?.ordner ?? ''))
