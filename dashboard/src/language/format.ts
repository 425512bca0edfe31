/**
 * Formats numbers, sizes, durations and times in a language. Sizes are formatted as on the server. The
 * examples in the comments are German.
 */

import { formatBytes } from '../../../src/contract/values/bytes.ts'
import { formatDuration } from '../../../src/contract/values/length.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/contract/values/units.ts'
import { LOCALES } from '../../../src/contract/words/both-languages.ts'
import type { Language } from './words.ts'

const MONTH = 30 * DAY
const YEAR = 365 * DAY

/**
 * The units of relative times, in milliseconds. The first one that is not longer than the time span is used.
 */
const RELATIVE_UNITS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [YEAR, 'year'],
  [MONTH, 'month'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
]

/** The text for times within the last minute. */
const JUST_NOW: Readonly<Record<Language, string>> = { de: 'gerade eben', en: 'just now' }

export type Format = ReturnType<typeof createFormat>

export function createFormat(language: Language) {
  const locale = LOCALES[language]
  const numberFormat = new Intl.NumberFormat(locale)
  const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const relativeTimeFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const dateTimeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
  const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const durationFormatter = (unit: 'second' | 'minute' | 'hour') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 })

  return {
    /** 1204 → `1.204`. */
    number: (value: number) => numberFormat.format(value),
    /** 0.873 → `87 %`. */
    percent: (share: number) => percentFormat.format(share),
    /** 1572864 → `1,5 MB`. */
    bytes: (value: number) => formatBytes(value, language),
    /** Numbers without separators: `1920 × 1080 px`. */
    dimensions: (width: number, height: number) => `${width} × ${height} px`,
    /** Seconds → `1:02:03`, `0:07`. */
    length: formatDuration,
    /** Milliseconds → `3 Min.`, `20 Sek.`, rounded. */
    duration(milliseconds: number) {
      if (milliseconds < MINUTE) return durationFormatter('second').format(Math.max(1, milliseconds / SECOND))
      if (milliseconds < 2 * HOUR) return durationFormatter('minute').format(milliseconds / MINUTE)
      return durationFormatter('hour').format(milliseconds / HOUR)
    },
    /** `vor 3 Stunden`, `in 5 Tagen`, `gerade eben`. */
    relative(time: number, now = Date.now()) {
      const distance = time - now
      const [unitLength, unit] = RELATIVE_UNITS.find(([ms]) => Math.abs(distance) >= ms) ?? [SECOND, 'second']
      // Seconds are not shown, because a number that changes every second would distract.
      if (unit === 'second') return distance > 0 ? relativeTimeFormat.format(0, unit) : JUST_NOW[language]
      return relativeTimeFormat.format(Math.round(distance / unitLength), unit)
    },
    /** Day and time: `31.01.2026, 13:00`. */
    moment: (time: number) => dateTimeFormat.format(time),
    /** `Januar 2026`. */
    month: (time: number) => monthFormat.format(time),
    /** The day alone: `31.01.2026`. */
    day: (date: number | Date) => dayFormat.format(date),
  }
}
