/** The address of the files page, and its request to the service. */
import type { SortOrder } from '../../../../src/contract/values/limits.ts'
import { FILES_SEARCH, type FilesSearch, filesAddress } from '../../state/addresses.ts'
import { filterQuery } from '../../state/filter-search.ts'
import { useSearchState } from '../../state/use-search-state.ts'

/** A folder opens at its first page, without a search. Sort and filters stay. */
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

/** The common start is built once for all addresses of a page. */
export function fileHrefs(search: FilesSearch): (file: { path: string }) => string {
  const start = filesAddress({ ...search, datei: '', gross: '' })
  const joined = start.includes('?') ? '&' : '?'
  // Paths need no escaping.
  return ({ path }) => `${start}${joined}datei=${path}`
}

/** The query of the listing, without parameters that only this page uses: equal lists give equal queries. */
export function listingQuery(search: FilesSearch) {
  const { sortierung, richtung, anzahl, seite } = search
  return { ...resultQuery(search), ...{ sortierung, richtung, anzahl }, seite: Math.max(1, seite) }
}

/** The whole result on all pages, for actions on it. */
export function resultQuery(search: FilesSearch) {
  const { ordner, suche, unterordner } = search
  return {
    ...{ ordner, suche },
    ...filterQuery(search),
    ...(unterordner && { unterordner: '1' as const }),
  }
}

/** Identifies the listing: another folder, search or filter clears the selection; another page does not. */
export const placeOf = (search: FilesSearch) => JSON.stringify(resultQuery(search))

/** Names from A to Z; everything else largest or newest first. */
export const naturalDirection = (order: SortOrder) => (order === 'name' ? 'auf' : 'ab')
