/** Reads and changes the address of the list, for the toolbar: every change returns to the first page. */
import type { SetFilesSearch } from '../../state/addresses.ts'
import { useFilesAddress } from '../listing/search.ts'

export function useChange() {
  const { search, setSearch } = useFilesAddress()
  const change: SetFilesSearch = edit => setSearch({ ...edit, seite: 1 })
  return { search, change }
}
