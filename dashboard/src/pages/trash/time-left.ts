/** The time that an entry of the trash has left before it is removed. */
import { DAY } from '../../../../src/contract/values/units.ts'

const URGENT_DAYS = 3

export function timeLeft(expiresAt: number, now: number, maxDays: number) {
  const remainingMs = Math.max(0, expiresAt - now)
  /** Whole days, rounded up: 1 in the last 24 hours, 0 when the time is over. */
  const days = Math.min(Math.ceil(remainingMs / DAY), maxDays)
  return { days, remainingShare: Math.min(remainingMs / (maxDays * DAY), 1), isUrgent: days <= URGENT_DAYS }
}
