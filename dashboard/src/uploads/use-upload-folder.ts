/** The folder that uploads go to unless another one is named: the open folder, or the top. */
import { useLocation, useSearch } from 'wouter'
import { lowerCased } from '../../../src/contract/paths.ts'

const FILES = '/dateien'

export function useUploadFolder(): string {
  const [location] = useLocation()
  const search = useSearch()
  if (location !== FILES) return ''
  // The service stores uploads in small letters, the folder's name included.
  return lowerCased(new URLSearchParams(search).get('ordner') ?? '')
}
