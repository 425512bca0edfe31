/** The limits of a token on the command line: options, help, values and errors. */
import type { Language } from '../../base/language.ts'
import { type LimitFields, TOKEN_LIMITS, type TokenLimit } from '../../contract/accounts/token-limits.ts'
import { KINDS } from '../../contract/paths/kinds.ts'
import { insertValue } from '../../contract/words/both-languages.ts'
import type { Formatter } from '../formatter.ts'
import { UsageError } from './command.ts'

export const LIMIT_OPTIONS = Object.fromEntries(
  TOKEN_LIMITS.map(({ option, kind }) => [option, { type: kind === 'right' ? 'boolean' : 'string' }]),
) as Record<TokenLimit['option'], { type: 'boolean' | 'string' }>

const PLACEHOLDERS = {
  folder: { de: 'Pfad', en: 'path' },
  size: { de: 'Bytes', en: 'bytes' },
  number: { de: 'Zahl', en: 'number' },
  kinds: { de: 'Liste', en: 'list' },
  time: { de: 'Datum', en: 'date' },
  choice: { de: 'yes|no', en: 'yes|no' },
}
const HELP_COLUMN = 25

/** The help text about the options, one line per option. */
export const limitsHelp = (language: Language) =>
  TOKEN_LIMITS.map(({ option, kind, unit, help }) => {
    const placeholder = kind === 'right' ? '' : ` <${(unit ?? PLACEHOLDERS[kind])[language]}>`
    const text = insertValue(help[language], KINDS.join(','))
    return `  ${`--${option}${placeholder}`.padEnd(HELP_COLUMN)}${text}`
  }).join('\n')

/**
 * The value of an option in the form that the contract (`newToken`) expects; null if the option is absent.
 */
export function parseLimit({ kind, option }: TokenLimit, typedValue: string | boolean | undefined): unknown {
  if (typeof typedValue !== 'string') return typedValue ?? null
  if (kind === 'size' || kind === 'number') return Number(typedValue)
  if (kind === 'kinds') return typedValue.split(',').map(word => word.trim())
  if (kind === 'time') return parseDate(option, typedValue)
  return kind === 'choice' ? parseYesOrNo(option, typedValue) : typedValue
}

function parseYesOrNo(option: string, text: string): boolean {
  if (!['yes', 'no', 'ja', 'nein'].includes(text))
    throw new UsageError(`--${option} ist yes (ja) oder no (nein).`, `--${option} is yes or no.`)
  return text === 'yes' || text === 'ja'
}

function parseDate(option: string, text: string): number {
  // JavaScript reads a date without a time as UTC; the operator means local midnight.
  const date = new Date(text.includes('T') ? text : `${text}T00:00`)
  if (Number.isNaN(date.getTime()) || !isCalendarDay(text.slice(0, 10)))
    throw new UsageError(
      `--${option} ist kein Datum; gemeint ist etwa 2027-01-31.`,
      `--${option} is no date; it should be something like 2027-01-31.`,
    )
  return date.getTime()
}

/** Whether the day exists. JavaScript may read 31 February as a day in March. */
const isCalendarDay = (day: string) => {
  const date = new Date(day)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day
}

/** The error for a value that the contract refuses. `german`: the German message of the contract. */
export function limitRefusal({ kind, option, unit }: TokenLimit, german: string): UsageError {
  const kinds = KINDS.join(', ')
  const englishByKind = {
    folder: 'is no valid path of a folder',
    size: 'must be a whole number of bytes above zero',
    number: `must be a whole number ${unit ? `of ${unit.en} ` : ''}above zero`,
    kinds: `knows only ${kinds}`,
    time: 'lies too far in the future or in the past',
    // The contract never refuses these: `right` is a flag, and `parseYesOrNo` has already checked `choice`.
    right: '',
    choice: '',
  }
  return new UsageError(
    `--${option} ${kind === 'kinds' ? `kennt nur ${kinds}` : german}.`,
    `--${option} ${englishByKind[kind]}.`,
  )
}

/** The limits of a token in words; limits that are not set are left out. */
export const describeLimits = (
  token: LimitFields,
  { language, formatSize, formatTime }: Formatter,
): string[] =>
  TOKEN_LIMITS.flatMap(({ field, kind, listText: template, listTextIfFalse: noTemplate }) => {
    const value = token[field]
    if (value === null) return []
    const valueText = () => {
      if (kind === 'size') return formatSize(Number(value))
      if (kind === 'time') return formatTime(Number(value))
      return Array.isArray(value) ? value.join(', ') : String(value)
    }
    return [insertValue((value === false && noTemplate ? noTemplate : template)[language], valueText())]
  })
