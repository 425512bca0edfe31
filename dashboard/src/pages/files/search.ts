/** What the address of the files page holds, and what is asked of the service for it. */
import { KINDS } from '../../../../src/contract/kinds.ts'
import {
  DEFAULT_PAGE_SIZE,
  PAGE_SIZES,
  SORT_ORDERS,
  type SortOrder,
} from '../../../../src/contract/limits.ts'
import { flag, number, oneOf, type readSearch, type SetState, text } from '../../hooks/use-search-state.ts'

export const SEARCH = {
  ordner: text(''),
  suche: text(''),
  /** The folder that was open when the search everywhere began: it can be narrowed down to it. */
  von: text(''),
  art: oneOf(KINDS, undefined),
  token: text(''),
  sortierung: oneOf(SORT_ORDERS, 'name'),
  richtung: oneOf(['auf', 'ab'], 'auf'),
  unterordner: flag(),
  seite: number(1),
  anzahl: oneOf(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  /** The path of the opened file. */
  datei: text(''),
  /** The path of the file on the light table. */
  gross: text(''),
}

export type FilesSearch = ReturnType<typeof readSearch<typeof SEARCH>>
export type SetFilesSearch = SetState<typeof SEARCH>

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
export const placeOf = ({ ordner, suche, art, token, unterordner }: FilesSearch) =>
  JSON.stringify([ordner, suche, art, token, unterordner])

export const isFiltered = ({ art, token }: Pick<FilesSearch, 'art' | 'token'>) =>
  art !== undefined || token !== ''

/** Names are sorted from A on; everything else with the largest or newest first. */
export const naturalDirection = (order: SortOrder) => (order === 'name' ? 'auf' : 'ab')
