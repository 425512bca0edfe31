/** Groups entries by day. */

export interface Day<Entry> {
  /** Unix milliseconds, at any time of that day. */
  at: number
  entries: Entry[]
}

/** The order must be by time: entries of one day are adjacent. */
export function byDay<Entry extends { zeit: number }>(entries: readonly Entry[]): Day<Entry>[] {
  const days: Day<Entry>[] = []
  for (const entry of entries) {
    const last = days.at(-1)
    if (last && isSameDay(last.at, entry.zeit)) last.entries.push(entry)
    else days.push({ at: entry.zeit, entries: [entry] })
  }
  return days
}

export const isSameDay = (one: number, other: number) =>
  new Date(one).toDateString() === new Date(other).toDateString()

/** Midnights in between: 0 is today, 1 yesterday. */
export function daysAgo(at: number, now: number): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  // Rounded, because of daylight saving time.
  return Math.round((midnight(now) - midnight(at)) / 86_400_000)
}
