/**
 * Converts between the day in a date field and the time at which a token or share expires, which is the end
 * of that day in the time zone of the browser. Also tells whether a token or share has expired or expires
 * soon.
 */
import { localDayOf } from '../../state/local-day.ts'

/**
 * The end of a day such as `2026-12-31` in the time zone of the browser, in Unix milliseconds; undefined for
 * any other text and for a day that does not exist.
 */
export function endOfDay(day: string): number | undefined {
  const [, year, month, dayOfMonth] = /^(\d{4,6})-(\d{2})-(\d{2})$/.exec(day)?.map(Number) ?? []
  if (year === undefined || month === undefined || dayOfMonth === undefined) return undefined
  const endDate = new Date(year, month - 1, dayOfMonth + 1)
  const lastMoment = new Date(endDate.getTime() - 1)
  // A day that does not exist is refused: `Date` turns 31 February into a day of March.
  return lastMoment.getMonth() === month - 1 && lastMoment.getDate() === dayOfMonth
    ? endDate.getTime()
    : undefined
}

/** The last day of validity in the time zone of the browser, as text for a date field. */
export const lastValidDay = (validUntil: number): string => localDayOf(new Date(validUntil - 1))

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

export type Validity = 'unlimited' | 'valid' | 'ending' | 'expired'

export function validityOf(validUntil: number | null, now: number): Validity {
  if (validUntil === null) return 'unlimited'
  if (now >= validUntil) return 'expired'
  return validUntil - now < WEEK_MS ? 'ending' : 'valid'
}
