/** The address of the files page, and the queries that it describes. */
import type { SortOrder } from '../../../../src/contract/values/limits.ts'
import { FILES_SEARCH, type FilesSearch, filesAddress } from '../../state/addresses.ts'
import { filterQuery } from '../../state/filter-search.ts'
import { useSearchState } from '../../state/use-search-state.ts'

/**
 * The change of the address that opens a folder at its first page, without a search. Sort order and filters
 * are kept.
 */
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

/**
 * Returns a function that gives the address of a file. The common beginning of all addresses is built only
 * once.
 */
export function fileHrefs(search: FilesSearch): (file: { path: string }) => string {
  const start = filesAddress({ ...search, datei: '', gross: '' })
  const separator = start.includes('?') ? '&' : '?'
  // Paths need no escaping.
  return ({ path }) => `${start}${separator}datei=${path}`
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

/**
 * Identifies the list: a change of folder, search or filters clears the selection; a change of the page or
 * order does not.
 */
export const listingKeyOf = (search: FilesSearch) => JSON.stringify(resultQuery(search))

/**
 * The direction with which an order starts: names from A to Z, everything else with the largest or newest
 * first.
 */
export const naturalDirection = (order: SortOrder) => (order === 'name' ? 'auf' : 'ab')
