/** The filters of the files page: as parameters of its address, and as the query of a request. */

import { ORIENTATIONS } from '../../../src/contract/files/choices.ts'
import { KINDS, type Kind } from '../../../src/contract/paths/kinds.ts'
import {
  flagParameter,
  oneOfParameter,
  type readSearch,
  type SearchParameter,
  textParameter,
} from './use-search-state.ts'

/** A parameter for a whole number from 1; 0 means that the filter is not set. */
const positiveNumberParameter: SearchParameter<number> = {
  fallback: 0,
  read: value => (/^\d{1,15}$/.test(value) ? Number(value) : 0),
}

/** A parameter for a day in the time zone of this browser, such as `2026-11-15`; empty if not set. */
const dayParameter: SearchParameter<string> = {
  fallback: '',
  read: value => (/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''),
}

/**
 * A parameter for kinds of files, separated by commas. Unknown kinds are dropped; the order is that of
 * `KINDS`.
 */
const kindsParameter: SearchParameter<string> = {
  fallback: '',
  read: value => joinWithCommas(parseKinds(value)),
}

/** The parameters of the filters in the address of the files page. */
export const FILTER_PARAMETERS = {
  art: kindsParameter,
  /** Ids of tokens, separated by commas. */
  token: textParameter(''),
  geaendert_von: dayParameter,
  geaendert_bis: dayParameter,
  min_bytes: positiveNumberParameter,
  max_bytes: positiveNumberParameter,
  min_breite: positiveNumberParameter,
  max_breite: positiveNumberParameter,
  min_hoehe: positiveNumberParameter,
  max_hoehe: positiveNumberParameter,
  ausrichtung: oneOfParameter(ORIENTATIONS, undefined),
  nie_abgerufen: flagParameter(),
  nicht_abgerufen_seit: dayParameter,
  unabgerufen_tage: positiveNumberParameter,
}
export type FilterSearch = ReturnType<typeof readSearch<typeof FILTER_PARAMETERS>>

export const NO_FILTERS = Object.fromEntries(
  Object.entries(FILTER_PARAMETERS).map(([name, { fallback }]) => [name, fallback]),
) as unknown as FilterSearch

export const parseKinds = (value: string): Kind[] => {
  const givenKinds = value.split(',')
  return KINDS.filter(kind => givenKinds.includes(kind))
}

export const parseTokenIds = (value: string): string[] => value.split(',').filter(id => id !== '')

export const joinWithCommas = (values: readonly string[]) => values.join(',')

export const hasActiveFilters = (search: FilterSearch) => Object.keys(filterQuery(search)).length > 0

/**
 * The Unix milliseconds at which a day begins in the time zone of this browser; with `daysLater`, those of
 * the day that many days later.
 */
function startOfDay(day: string, daysLater = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).getTime()
}

const NUMBER_FILTERS = [
  'min_bytes',
  'max_bytes',
  'min_breite',
  'max_breite',
  'min_hoehe',
  'max_hoehe',
  'unabgerufen_tage',
] as const

/** The query parameters of the filters that are set. Every value is text, as the service expects it. */
export function filterQuery(search: FilterSearch) {
  const { art, token, geaendert_von: changedFrom, geaendert_bis: changedTo, ausrichtung } = search
  const { nicht_abgerufen_seit: unretrievedSince, nie_abgerufen } = search
  const numberEntries = NUMBER_FILTERS.flatMap(name =>
    search[name] > 0 ? [[name, String(search[name])] as const] : [],
  )
  return {
    ...(art !== '' && { art }),
    ...(token !== '' && { token }),
    ...(changedFrom !== '' && { geaendert_von: String(startOfDay(changedFrom)) }),
    // The whole of the last day is included.
    ...(changedTo !== '' && { geaendert_bis: String(startOfDay(changedTo, 1) - 1) }),
    ...(ausrichtung && { ausrichtung }),
    ...(nie_abgerufen && { nie_abgerufen: '1' as const }),
    ...(unretrievedSince !== '' && { nicht_abgerufen_seit: String(startOfDay(unretrievedSince)) }),
    ...(Object.fromEntries(numberEntries) as Partial<Record<(typeof NUMBER_FILTERS)[number], string>>),
  }
}
