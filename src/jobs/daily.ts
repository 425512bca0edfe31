/**
 * When a daily job is due. By the operator's clock: a day may have 23 or 25 hours, a time of day may come twice or not at
 * all, and the machine may be off or asleep when it comes.
 */
import { DAY, HOUR } from '../contract/units.ts'

export interface DailyLook {
  /** `03:30`. */
  at: string
  now: number
  /** Null: it never ran. */
  lastRun: number | null
  /** Since when this time of day is watched for: the start of the process, or when the setting was changed. */
  watchedSince: number
}

export function isDue({ at, now, lastRun, watchedSince }: DailyLook): boolean {
  const due = lastTimeOf(at, now)
  if (lastRun !== null && lastRun >= due) return false
  if (due > watchedSince) return true
  // It came before anybody watched. Not made up for at once in the life of an instance, nor when somebody sets the time
  // to an hour that has passed today; but a machine that is off every night has its run too.
  return lastRun === null ? now - watchedSince >= HOUR : now - lastRun > DAY
}

/**
 * The last moment at which the clocks showed this time. Where it comes twice the first one counts; where it is left out,
 * the moment that has as many hours since midnight (ECMA-262, "UTC(t)").
 */
export function lastTimeOf(at: string, now: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const moment = new Date(now)
  moment.setHours(hours, minutes, 0, 0)
  if (moment.getTime() > now) {
    // Not `setDate` alone: it would carry over an hour that the clocks leave out today only.
    moment.setTime(now)
    moment.setDate(moment.getDate() - 1)
    moment.setHours(hours, minutes, 0, 0)
  }
  return moment.getTime()
}
