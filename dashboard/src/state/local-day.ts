/** Formats days in the time zone of the browser, as date fields expect them. */

export const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Such as `2026-12-31`. */
export const localDayOf = (at: Date): string =>
  [String(at.getFullYear()).padStart(4, '0'), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-')
