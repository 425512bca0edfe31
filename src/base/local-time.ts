/** Formats days and times, given in Unix milliseconds, in the local time zone of the machine. */

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The local day, such as `2026-11-15`. */
export function localDay(time: number): string {
  const date = new Date(time)
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** The local time, such as `2026-11-15 04:10:45`, a form that spreadsheets in every language recognize. */
export function localTime(time: number): string {
  const date = new Date(time)
  return `${localDay(time)} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`
}

/** The local time in the form `2026-11-15-041045`, for the name of a file. */
export const fileNameTime = (time: number) => localTime(time).replace(' ', '-').replaceAll(':', '')

/** The last `count` calendar days up to and including the day of `time`, oldest first. */
export function lastDays(time: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(time)
    // Days may have 23 or 25 hours. The time is set to noon, local time, so that a daylight saving change
    // cannot move it to another day.
    date.setHours(12, 0, 0, 0)
    date.setDate(date.getDate() - (count - 1 - index))
    return localDay(date.getTime())
  })
}
