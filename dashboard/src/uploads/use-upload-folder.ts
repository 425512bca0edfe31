/** The folder that uploads go to unless another one is named: the open folder, or the top. */
import { useLocationProperty } from 'wouter/use-browser-location'
import { lowerCased } from '../../../src/contract/paths.ts'

const FILES = '/dateien'

export const useUploadFolder = () => useLocationProperty(folderOfAddress)

function folderOfAddress(): string {
  if (location.pathname !== FILES) return ''
  // The service stores uploads in small letters, the folder's name included.
  return lowerCased(new URLSearchParams(location.search).get('ordner') ?? '')
}
