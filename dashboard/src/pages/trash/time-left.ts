/** The time left of an entry in the trash. */

const DAY = 24 * 60 * 60 * 1000
const URGENT_DAYS = 3

export interface TimeLeft {
  /** Counts started days: 1 within the last day, 0 when the time is over. */
  days: number
  /** Of the whole time, 0 to 1. */
  share: number
  urgent: boolean
}

export function timeLeft(expiresAt: number, now: number, maxDays: number): TimeLeft {
  const left = Math.max(0, expiresAt - now)
  const days = Math.min(Math.ceil(left / DAY), maxDays)
  return { days, share: Math.min(left / (maxDays * DAY), 1), urgent: days <= URGENT_DAYS }
}
