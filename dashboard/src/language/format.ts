/** Formats numbers, sizes, durations and times in a language. Sizes use the formatter of the server. */
import { formatBytes } from '../../../src/contract/values/bytes.ts'
import { formatLength } from '../../../src/contract/values/length.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/contract/values/units.ts'
import type { Language } from './words.ts'

const MONTH = 30 * DAY
const YEAR = 365 * DAY

/** The units of relative times; the largest unit that fits is used. */
const STEPS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
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
  const locale = language === 'de' ? 'de-DE' : 'en-GB'
  const numbers = new Intl.NumberFormat(locale)
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const distances = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  // Dates have the same format everywhere, with or without the time.
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const durations = (unit: 'second' | 'minute' | 'hour') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 })

  return {
    /** 1204 → `1.204`. */
    number: (value: number) => numbers.format(value),
    /** 0.873 → `87 %`. */
    percent: (share: number) => shares.format(share),
    /** 1572864 → `1,5 MB`. */
    bytes: (value: number) => formatBytes(value, language),
    /** Numbers without separators: `1920 × 1080 px`. */
    dimensions: (width: number, height: number) => `${width} × ${height} px`,
    /** Seconds → `1:02:03`, `0:07`. */
    length: formatLength,
    /** Rounded: `3 Min.`, `20 Sek.` */
    duration(milliseconds: number) {
      if (milliseconds < MINUTE) return durations('second').format(Math.max(1, milliseconds / SECOND))
      if (milliseconds < 2 * HOUR) return durations('minute').format(milliseconds / MINUTE)
      return durations('hour').format(milliseconds / HOUR)
    },
    /** `vor 3 Stunden`, `in 5 Tagen`, `gerade eben`. */
    relative(at: number, now = Date.now()) {
      const distance = at - now
      const [size, unit] = STEPS.find(([least]) => Math.abs(distance) >= least) ?? [SECOND, 'second']
      // Seconds are not counted, which would distract.
      if (unit === 'second') return distance > 0 ? distances.format(0, unit) : JUST_NOW[language]
      return distances.format(Math.round(distance / size), unit)
    },
    /** Day and time: `31.01.2026, 13:00`. */
    moment: (at: number) => moments.format(at),
    /** `Januar 2026`. */
    month: (at: number) => months.format(at),
    /** The day alone: `31.01.2026`. */
    day: (at: number | Date) => days.format(at),
  }
}
