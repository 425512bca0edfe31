/** Parses and formats sizes as people type them: `1,5` and a unit. */
import { MEGABYTE } from '../../../../src/contract/values/units.ts'

export const SIZE_UNITS = ['MB', 'GB'] as const
export type SizeUnit = (typeof SIZE_UNITS)[number]

const BYTES_PER_UNIT = { MB: MEGABYTE, GB: 1024 * MEGABYTE } as const

export interface TypedSize {
  text: string
  unit: SizeUnit
}

/**
 * The bytes of a typed size; null for an empty field. Undefined if the text is invalid, or if the size is too
 * large or rounds to 0 bytes. The decimal separator is a comma or a point.
 */
export function parseTypedSize({ text, unit }: TypedSize): number | null | undefined {
  const normalizedText = text.trim().replace(',', '.')
  if (normalizedText === '') return null
  if (!/^\d{1,9}(\.\d{0,9})?$/.test(normalizedText)) return undefined
  const bytes = Math.round(Number(normalizedText) * BYTES_PER_UNIT[unit])
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}

/**
 * The size as somebody would type it: `2 GB`, `512 MB`; an empty text if `bytes` is null. Seven decimals are
 * enough to give a size in MB exact to the byte.
 */
export function toTypedSize(bytes: number | null, decimalSeparator: ',' | '.'): TypedSize {
  if (bytes === null) return { text: '', unit: 'MB' }
  const unit = bytes >= BYTES_PER_UNIT.GB && bytes % (BYTES_PER_UNIT.GB / 8) === 0 ? 'GB' : 'MB'
  const value = bytes / BYTES_PER_UNIT[unit]
  const text = Number.isInteger(value) ? String(value) : value.toFixed(7).replace(/0+$/, '')
  return { text: text.replace('.', decimalSeparator), unit }
}
