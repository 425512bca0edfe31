/**
 * Decides when a daily job is due, by local time: a day may have 23 or 25 hours, a time of day may occur
 * twice or not at all, and the machine may be off at that time.
 */
import { DAY, HOUR } from '../contract/values/units.ts'

interface DailyState {
  /** The time of day, for example `03:30`. */
  at: string
  now: number
  /** Unix milliseconds; null: the job never ran. */
  lastRun: number | null
  /**
   * Since when the process waits for this time of day: since its start, or since the last change of the
   * setting.
   */
  watchedSince: number
}

export function isDue({ at, now, lastRun, watchedSince }: DailyState): boolean {
  const due = lastTimeOf(at, now)
  if (lastRun !== null && lastRun >= due) return false
  if (due > watchedSince) return true
  // The time of day passed before the process waited for it. The missed run does not start at once on a new
  // instance, nor if the operator sets a time that has already passed today. But the job must also run on a
  // machine that is off every night: one that never ran starts after an hour, any other when its last run was
  // more than a day ago.
  return lastRun === null ? now - watchedSince >= HOUR : now - lastRun > DAY
}

/**
 * The last moment at which the local clock showed this time. If the time occurs twice in a day, the first one
 * counts. If it is skipped, the moment that many hours after midnight counts (ECMA-262, "UTC(t)").
 */
export function lastTimeOf(at: string, now: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const moment = new Date(now)
  moment.setHours(hours, minutes, 0, 0)
  if (moment.getTime() > now) {
    // `setDate` alone is not enough: if daylight saving skips this hour today, `Date` has already changed the
    // hour, and the changed hour would be used for yesterday.
    moment.setTime(now)
    moment.setDate(moment.getDate() - 1)
    moment.setHours(hours, minutes, 0, 0)
  }
  return moment.getTime()
}

/** The first moment after `from` at which the local clock shows this time. */
export function nextTimeOf(at: string, from: number): number {
  // The search advances by hours, since a day may have 23 or 25 of them.
  for (let later = from + HOUR; ; later += HOUR) {
    const moment = lastTimeOf(at, later)
    if (moment > from) return moment
  }
}
