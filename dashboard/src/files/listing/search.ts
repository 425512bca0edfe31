/** The address of the files page, and the queries that its parameters describe. */
import type { SortOrder } from '../../../../src/contract/files/choices.ts'
import { FILES_PARAMETERS, type FilesSearch, filesAddress } from '../../state/addresses.ts'
import { filterQuery } from '../../state/filter-search.ts'
import { useSearchState } from '../../state/use-search-state.ts'

/**
 * The change of the address that opens this folder at its first page, without a search. Sort order and
 * filters are kept.
 */
const folderParameters = (ordner: string) => ({ ordner, suche: '', von: '', seite: 1, datei: '', gross: '' })

export function useFilesAddress() {
  const [search, setSearch] = useSearchState(FILES_PARAMETERS)
  return {
    search,
    setSearch,
    openFolder: (folder: string) => setSearch(folderParameters(folder)),
    folderHref: (folder: string) => filesAddress({ ...search, ...folderParameters(folder) }),
  }
}

/**
 * Returns a function that builds the dashboard address of a file. The beginning that all addresses share is
 * built only once.
 */
export function createFileHrefBuilder(search: FilesSearch): (file: { path: string }) => string {
  const commonStart = filesAddress({ ...search, datei: '', gross: '' })
  const separator = commonStart.includes('?') ? '&' : '?'
  // Paths need no escaping: they consist of letters, digits, `._-` and slashes.
  return ({ path }) => `${commonStart}${separator}datei=${path}`
}

/** The query for one page of the list. Parameters of the address that do not change the list are omitted. */
export function listingQuery(search: FilesSearch) {
  const { sortierung, richtung, anzahl, seite } = search
  return { ...resultQuery(search), sortierung, richtung, anzahl, seite: Math.max(1, seite) }
}

/** The query for the whole result on all pages, without order and page. */
export function resultQuery(search: FilesSearch) {
  const { ordner, suche, unterordner } = search
  return {
    ordner,
    suche,
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
 * The default direction of a sort order: names from A to Z, everything else with the largest or newest first.
 */
export const defaultDirection = (order: SortOrder) => (order === 'name' ? 'auf' : 'ab')
