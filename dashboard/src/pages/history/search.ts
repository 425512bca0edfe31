/** The parameters in the address of the history page, and the filters in its requests to the service. */

import type { COMMON_WORDS } from '../../language/words.ts'
import {
  numberParameter,
  oneOfParameter,
  type readSearch,
  type SetSearchState,
  textParameter,
} from '../../state/use-search-state.ts'
import { historyEventWords } from '../../ui/words.ts'

export type Occurrence = Exclude<keyof typeof historyEventWords.de, keyof typeof COMMON_WORDS>
export const OCCURRENCES = Object.keys(historyEventWords.de) as Occurrence[]

export const HISTORY_PARAMETERS = {
  ansicht: oneOfParameter(['verwaltung'], 'dateien'),
  was: oneOfParameter(OCCURRENCES, undefined),
  wer: textParameter(''),
  pfad: textParameter(''),
  /** The first (`von`) and the last day (`bis`), such as 2026-11-15, in the time zone of the browser. */
  von: textParameter(''),
  bis: textParameter(''),
  seite: numberParameter(1),
}

export type HistorySearch = ReturnType<typeof readSearch<typeof HISTORY_PARAMETERS>>
export type SetHistorySearch = SetSearchState<typeof HISTORY_PARAMETERS>

export const NO_FILTER = { was: undefined, wer: '', pfad: '', von: '', bis: '', seite: 1 } as const

export const isFiltered = ({ was: occurrence, wer, pfad, von, bis }: HistorySearch) =>
  occurrence !== undefined || [wer, pfad, von, bis].some(value => value !== '')

export function filterOf({ was: occurrence, wer, pfad, von, bis }: HistorySearch) {
  const [startTime, endTime] = [startOfDay(von), startOfDay(bis, 1)]
  return {
    ...(occurrence !== undefined && { was: occurrence }),
    ...(wer !== '' && { wer }),
    ...(pfad !== '' && { pfad }),
    ...(startTime !== null && { von: startTime }),
    // The service includes entries at the time `bis`, so this is the last millisecond of the last day.
    ...(endTime !== null && { bis: endTime - 1 }),
  }
}

/**
 * The start of a day in the time zone of the browser, in Unix milliseconds; with `daysLater`, the start of
 * the day that many days later. Null if the text does not look like `2026-11-15`, or if the result would be
 * before 1970. `daysLater` counts calendar days, since a day may have 23 or 25 hours.
 */
function startOfDay(day: string, daysLater = 0): number | null {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  if (!year) return null
  const time = new Date(Number(year), Number(month) - 1, Number(dayOfMonth) + daysLater).getTime()
  return time >= 0 ? time : null
}
