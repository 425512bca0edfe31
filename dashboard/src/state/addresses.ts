/** Builds and parses the addresses of the pages, with the query of the files page. */

import { INVITATION_PAGE, SETUP_PAGE } from '../../../src/contract/accounts/setup-link.ts'
import { LOGIN_PAGE } from '../../../src/contract/service/web.ts'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, SORT_ORDERS } from '../../../src/contract/values/limits.ts'
import { FILTER_SEARCH } from './filter-search.ts'
import { folderOf } from './paths.ts'
import { flag, number, oneOf, readSearch, type SetState, text, writeSearch } from './use-search-state.ts'

export const PAGES = {
  overview: '/',
  files: '/dateien',
  missing: '/dateien/fehlende',
  replace: '/dateien/ersetzen',
  trash: '/papierkorb',
  retention: '/fristen',
  shares: '/freigaben',
  tokens: '/tokens',
  statistics: '/statistik',
  history: '/verlauf',
  upkeep: '/wartung',
  backup: '/wartung/sicherung',
  duplicates: '/wartung/gleiche',
  settings: '/einstellungen',
  account: '/konto',
  login: LOGIN_PAGE,
  setup: SETUP_PAGE,
  invitation: INVITATION_PAGE,
} as const

export const FILES_SEARCH = {
  ordner: text(''),
  suche: text(''),
  /** The folder that was open when the search in all folders began. */
  von: text(''),
  ...FILTER_SEARCH,
  unterordner: flag(),
  sortierung: oneOf(SORT_ORDERS, 'name'),
  richtung: oneOf(['auf', 'ab'], 'auf'),
  seite: number(1),
  anzahl: oneOf(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  /** The file that the details show. */
  datei: text(''),
  /** The file that the viewer shows. */
  gross: text(''),
}

export type FilesSearch = ReturnType<typeof readSearch<typeof FILES_SEARCH>>
export type SetFilesSearch = SetState<typeof FILES_SEARCH>

/** The query string of the files page, without the question mark. */
export const filesQuery = (search: Partial<FilesSearch>): string => writeSearch(FILES_SEARCH, search, '')

export function filesAddress(search: Partial<FilesSearch> = {}): string {
  const queryString = filesQuery(search)
  return queryString === '' ? PAGES.files : `${PAGES.files}?${queryString}`
}

/** The parsed query of the files page; null on other pages. */
export const shownFiles = (): FilesSearch | null =>
  location.pathname === PAGES.files ? readSearch(FILES_SEARCH, location.search) : null

/** The address of the files page that shows this file in its folder, with its details. */
export const fileAddress = (path: string) => filesAddress({ ordner: folderOf(path), datei: path })
