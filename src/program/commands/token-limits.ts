/** The limits of a token on the command line: their options, help, values and refusals, by kind. */
import type { Language } from '../../base/language.ts'
import {
  type LimitKind,
  type LimitRow,
  type Limits,
  TOKEN_LIMITS,
  withValue,
} from '../../contract/accounts/token-limits.ts'
import { KINDS } from '../../contract/paths/kinds.ts'
import type { Speech } from '../speech.ts'
import { UsageError } from './command.ts'

type LimitOption = (typeof TOKEN_LIMITS)[number]['option']

export const LIMIT_OPTIONS = Object.fromEntries(
  TOKEN_LIMITS.map(({ option, kind }) => [option, { type: kind === 'right' ? 'boolean' : 'string' }]),
) as Record<LimitOption, { type: 'boolean' | 'string' }>

const HELP_COLUMN = 25

/** The lines of the options in the help. */
export const limitsHelp = (language: Language) =>
  TOKEN_LIMITS.map((limit: LimitRow) => {
    const option = `--${limit.option}${placeholder(limit)[language]}`
    return `  ${option.padEnd(HELP_COLUMN)}${withValue(limit.help[language], KINDS.join(','))}`
  }).join('\n')

function placeholder(limit: LimitRow) {
  if (limit.kind === 'number') return { de: ` <${limit.unit.de}>`, en: ` <${limit.unit.en}>` }
  return PLACEHOLDERS[limit.kind]
}

const PLACEHOLDERS = {
  folder: { de: ' <Pfad>', en: ' <path>' },
  right: { de: '', en: '' },
  size: { de: ' <Bytes>', en: ' <bytes>' },
  kinds: { de: ' <Liste>', en: ' <list>' },
  time: { de: ' <Datum>', en: ' <date>' },
  choice: { de: ' <yes|no>', en: ' <yes|no>' },
}

/** The value of an option, as the contract takes it; null where the option is absent. */
export function parseLimit({ kind, option }: LimitRow, typed: string | boolean | undefined): unknown {
  if (typeof typed !== 'string') return typed ?? null
  if (kind === 'size' || kind === 'number') return Number(typed)
  if (kind === 'kinds') return typed.split(',').map(each => each.trim())
  if (kind === 'time') return dateOf(option, typed)
  return kind === 'choice' ? yesOrNo(option, typed) : typed
}

function yesOrNo(option: string, text: string): boolean {
  if (!['yes', 'no', 'ja', 'nein'].includes(text))
    throw new UsageError(`--${option} ist yes (ja) oder no (nein).`, `--${option} is yes or no.`)
  return text === 'yes' || text === 'ja'
}

function dateOf(option: string, text: string): number {
  // JavaScript reads a date without a time as UTC; the operator means local midnight.
  const at = new Date(text.includes('T') ? text : `${text}T00:00`)
  // JavaScript turns the 31st of February into the 3rd of March, so the day is compared.
  const exists = !Number.isNaN(at.getTime()) && at.getDate() === Number(/^\d+-\d+-(\d+)/.exec(text)?.[1])
  if (!exists)
    throw new UsageError(
      `--${option} ist kein Datum; gemeint ist etwa 2027-01-31.`,
      `--${option} is no date; it should be something like 2027-01-31.`,
    )
  return at.getTime()
}

/** `german`: what the contract says about the value. */
export function refusedLimit(limit: LimitRow, german: string): UsageError {
  const of = limit.kind === 'number' ? limit.unit.en : 'bytes'
  const english: Partial<Record<LimitKind, string>> = {
    folder: 'is no valid path of a folder',
    size: `must be a whole number of ${of} above zero`,
    number: `must be a whole number of ${of} above zero`,
    kinds: `knows only ${KINDS.join(', ')}`,
    time: 'lies too far in the future or in the past',
  }
  return new UsageError(
    `--${limit.option} ${limit.kind === 'kinds' ? `kennt nur ${KINDS.join(', ')}` : german}.`,
    `--${limit.option} ${english[limit.kind]}.`,
  )
}

/** The limits of a token in words. */
export function limitsInWords(token: Limits, speech: Speech): string[] {
  return TOKEN_LIMITS.flatMap(limit => {
    const value = token[limit.property]
    if (value === null) return []
    const words = value === false && 'listedNo' in limit ? limit.listedNo : limit.listed
    return [withValue(words[speech.language], shown(limit.kind, value, speech))]
  })
}

function shown(kind: LimitKind, value: NonNullable<Limits[keyof Limits]>, { bytes, time }: Speech): string {
  if (kind === 'size') return bytes(Number(value))
  if (kind === 'time') return time(Number(value))
  return Array.isArray(value) ? value.join(', ') : String(value)
}
