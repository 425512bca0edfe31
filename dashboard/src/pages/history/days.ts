/** Groups entries of the history by day, in the time zone of the browser. */

export interface EntriesOfDay<Entry> {
  /** The time of the first of these entries, in Unix milliseconds. */
  firstEntryTime: number
  entries: Entry[]
}

/**
 * Groups entries by day in the time zone of the browser. The entries must be sorted by time, so that those of
 * a day are adjacent.
 */
export function groupByDay<Entry extends { zeit: number }>(entries: readonly Entry[]): EntriesOfDay<Entry>[] {
  const days: EntriesOfDay<Entry>[] = []
  for (const entry of entries) {
    const lastDay = days.at(-1)
    if (lastDay && isSameDay(lastDay.firstEntryTime, entry.zeit)) lastDay.entries.push(entry)
    else days.push({ firstEntryTime: entry.zeit, entries: [entry] })
  }
  return days
}

export const isSameDay = (time: number, otherTime: number) =>
  new Date(time).toDateString() === new Date(otherTime).toDateString()

/**
 * The number of midnights, in the time zone of the browser, between the two times: 0 means today, 1
 * yesterday.
 */
export function daysAgo(entryTime: number, now: number): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  // Rounded, because a day with a change to or from daylight saving time has 23 or 25 hours.
  return Math.round((midnight(now) - midnight(entryTime)) / 86_400_000)
}
