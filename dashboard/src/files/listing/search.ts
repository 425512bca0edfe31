/** Reading and changing the address of the files page, and what is asked of the service for it. */
import type { SortOrder } from '../../../../src/contract/values/limits.ts'
import { FILES_SEARCH, type FilesSearch, filesAddress } from '../../state/addresses.ts'
import { useSearchState } from '../../state/use-search-state.ts'

/** A folder is entered at its first page, and leaves a search. Sort and filters stay. */
const insideOf = (ordner: string) => ({ ordner, suche: '', von: '', seite: 1, datei: '', gross: '' })

export function useFilesAddress() {
  const [search, setSearch] = useSearchState(FILES_SEARCH)
  return {
    search,
    setSearch,
    enter: (folder: string) => setSearch(insideOf(folder)),
    folderHref: (folder: string) => filesAddress({ ...search, ...insideOf(folder) }),
  }
}

/** Two hundred addresses are made at once, so the common start is made only once. */
export function fileHrefs(search: FilesSearch): (file: { path: string }) => string {
  const start = filesAddress({ ...search, datei: '', gross: '' })
  const joined = start.includes('?') ? '&' : '?'
  // Paths are of characters that an address may hold as they are.
  return ({ path }) => `${start}${joined}datei=${path}`
}

/** The query of the listing, without parameters that only this page uses: equal lists make equal queries. */
export function listingQuery(search: FilesSearch) {
  const { von: _von, datei: _datei, gross: _gross, token, unterordner, seite, ...rest } = search
  return {
    ...rest,
    seite: Math.max(1, seite),
    ...(token !== '' && { token }),
    ...(unterordner && { unterordner: '1' as const }),
  }
}

/** What the list shows on all its pages, for actions on all of it. */
export function resultQuery(search: FilesSearch) {
  const { ordner, suche, art, token, unterordner } = search
  return {
    ...{ ordner, suche },
    ...(art && { art }),
    ...(token !== '' && { token }),
    ...(unterordner && { unterordner: '1' as const }),
  }
}

/** Names the place: another place has other files, and empties the selection; another page or order does not. */
export const placeOf = (search: FilesSearch) => JSON.stringify(resultQuery(search))

export const isFiltered = ({ art, token }: Pick<FilesSearch, 'art' | 'token'>) =>
  art !== undefined || token !== ''

/** Names are sorted from A on; everything else with the largest or newest first. */
export const naturalDirection = (order: SortOrder) => (order === 'name' ? 'auf' : 'ab')
