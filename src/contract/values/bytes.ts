/** The only formatter of sizes, for sentences, messages and the dashboard. 1 KB is 1024 bytes. */
import { LOCALES } from '../words/both-languages.ts'

const UNITS = ['Byte', 'KB', 'MB', 'GB'] as const

/** `422` → `422 Byte`, `1572864` → `1,5 MB`. A nonzero size never shows as zero. */
export function formatBytes(bytes: number, language: keyof typeof LOCALES = 'de'): string {
  let value = bytes
  let unitIndex = 0
  // A value that would round up to 1024 is shown in the next unit.
  while (unitIndex < UNITS.length - 1 && Math.round(value * 10) / 10 >= 1024) {
    value /= 1024
    unitIndex++
  }
  if (unitIndex === 0) return `${bytes} ${language === 'de' ? 'Byte' : bytes === 1 ? 'byte' : 'bytes'}`
  const fractionDigits = value < 10 ? 2 : 1
  const roundedValue = Number(value.toFixed(fractionDigits))
  return `${numberFormat(language, fractionDigits).format(roundedValue)} ${UNITS[unitIndex]}`
}

const cachedFormats = new Map<string, Intl.NumberFormat>()

/** Formats are cached, because creating one takes longer than drawing a card of the gallery. */
function numberFormat(language: keyof typeof LOCALES, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${language} ${maximumFractionDigits}`
  const format = cachedFormats.get(key) ?? new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits })
  cachedFormats.set(key, format)
  return format
}
