/** The addresses of the pages. Builds and parses the addresses of the files page, with their query. */

import { INVITATION_PAGE, SETUP_PAGE } from '../../../src/contract/accounts/setup-link.ts'
import { SORT_ORDERS } from '../../../src/contract/files/choices.ts'
import { LOGIN_PAGE, SETTINGS_PAGE } from '../../../src/contract/service/web.ts'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../../src/contract/values/page-sizes.ts'
import { FILTER_PARAMETERS } from './filter-search.ts'
import { folderOf } from './paths.ts'
import {
  flagParameter,
  numberParameter,
  oneOfParameter,
  readSearch,
  type SetSearchState,
  textParameter,
  writeSearch,
} from './use-search-state.ts'

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
  settings: SETTINGS_PAGE,
  account: '/konto',
  login: LOGIN_PAGE,
  setup: SETUP_PAGE,
  invitation: INVITATION_PAGE,
} as const

/** The parameters in the address of the files page. */
export const FILES_PARAMETERS = {
  ordner: textParameter(''),
  suche: textParameter(''),
  /** The folder that was open when the search in all folders began. */
  von: textParameter(''),
  ...FILTER_PARAMETERS,
  unterordner: flagParameter(),
  sortierung: oneOfParameter(SORT_ORDERS, 'name'),
  richtung: oneOfParameter(['auf', 'ab'], 'auf'),
  seite: numberParameter(1),
  anzahl: oneOfParameter(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  /** The path of the file that the details show. */
  datei: textParameter(''),
  /** The path of the file that the viewer shows. */
  gross: textParameter(''),
}

export type FilesSearch = ReturnType<typeof readSearch<typeof FILES_PARAMETERS>>
export type SetFilesSearch = SetSearchState<typeof FILES_PARAMETERS>

/** The query string of the files page, without the question mark. */
export const filesQuery = (search: Partial<FilesSearch>): string => writeSearch(FILES_PARAMETERS, search, '')

export function filesAddress(search: Partial<FilesSearch> = {}): string {
  const queryString = filesQuery(search)
  return queryString === '' ? PAGES.files : `${PAGES.files}?${queryString}`
}

/** The parsed query of the files page; null on other pages. */
export const currentFilesSearch = (): FilesSearch | null =>
  location.pathname === PAGES.files ? readSearch(FILES_PARAMETERS, location.search) : null

/** The address of the files page that shows this file in its folder, with its details. */
export const fileDetailsAddress = (path: string) => filesAddress({ ordner: folderOf(path), datei: path })
