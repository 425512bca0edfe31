/**
 * Decides whether a daily job is due, by local time. A day may have 23 or 25 hours, a time of day may occur
 * twice or not at all, and the machine may be off at that time.
 */
import { DAY, HOUR } from '../contract/values/units.ts'

interface DailyState {
  /** The time of day, for example `03:30`. */
  timeOfDay: string
  now: number
  /** Unix milliseconds; null: the job never ran. */
  lastRun: number | null
  /**
   * When this process began to wait for this time of day (Unix milliseconds): when it started, or when the
   * setting was last changed.
   */
  watchedSince: number
}

export function isDue({ timeOfDay, now, lastRun, watchedSince }: DailyState): boolean {
  const dueAt = lastOccurrence(timeOfDay, now)
  if (lastRun !== null && lastRun >= dueAt) return false
  if (dueAt > watchedSince) return true
  // The time of day passed before this process began to wait for it. The missed run does not start
  // immediately on a new instance, nor if the operator sets a time that has already passed today. But the job
  // must also run on a machine that is off every night: a job that never ran starts after an hour, any other
  // job once its last run was more than a day ago.
  return lastRun === null ? now - watchedSince >= HOUR : now - lastRun > DAY
}

/**
 * The last moment, at or before `now`, at which the local clock showed `timeOfDay`. If that time occurs twice
 * in a day, the first occurrence counts. If daylight saving skips it, `Date` chooses the moment (ECMA-262,
 * "UTC(t)").
 */
export function lastOccurrence(timeOfDay: string, now: number): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number)
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

/** The first moment later than `startTime` at which the local clock shows `timeOfDay`. */
export function nextOccurrence(timeOfDay: string, startTime: number): number {
  // The search advances by hours, since a day may have 23 or 25 of them.
  for (let searchTime = startTime + HOUR; ; searchTime += HOUR) {
    const moment = lastOccurrence(timeOfDay, searchTime)
    if (moment > startTime) return moment
  }
}
