/** Formats days in the time zone of the browser, as date fields expect them. */

export const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The day in the time zone of the browser, such as `2026-12-31`. */
export const localDayOf = (date: Date): string =>
  [
    String(date.getFullYear()).padStart(4, '0'),
    twoDigits(date.getMonth() + 1),
    twoDigits(date.getDate()),
  ].join('-')
