/**
 * Like `useFilesAddress`, for the toolbar and the filters: every change also returns to the first page of the
 * list.
 */
import type { SetFilesSearch } from '../../state/addresses.ts'
import { useFilesAddress } from '../listing/search.ts'

export function useListAddress() {
  const { search, setSearch } = useFilesAddress()
  const change: SetFilesSearch = changes => setSearch({ ...changes, seite: 1 })
  return { search, change }
}
