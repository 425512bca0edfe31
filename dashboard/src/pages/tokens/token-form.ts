/**
 * The values of the token form, their problems, and the request made from them. How a field is read depends
 * on the kind of its limit (`FIELD_KINDS`).
 */

import {
  type ByLimitName,
  byLimitName,
  type LimitKind,
  type LimitName,
  type LimitValues,
  TOKEN_LIMITS,
  type TokenLimit,
} from '../../../../src/contract/accounts/token-limits.ts'
import type { NewToken } from '../../../../src/contract/accounts/tokens.ts'
import { KINDS, type Kind } from '../../../../src/contract/paths/kinds.ts'
import { pathProblem } from '../../../../src/contract/paths/paths.ts'
import { TOKEN_NAME_MAX, TOKEN_VALID_MAX } from '../../../../src/contract/values/limits.ts'
import { tidyFolder } from '../../ui/forms/folder-list.ts'
import { bytesOf, type TypedSize, typedSize } from '../../ui/forms/sizes.ts'
import { endOfDay, lastDay } from './validity.ts'

/** The typed values by kind of limit. An empty text or list means no limit. */
interface TypedValues {
  folder: string
  right: boolean
  size: TypedSize
  number: string
  kinds: readonly Kind[]
  time: string
  choice: '' | 'yes' | 'no'
}

export type TokenForm = { name: string } & ByLimitName<TypedValues>

export type Problem =
  | 'nameMissing'
  | 'nameLong'
  | 'folderInvalid'
  | 'noSize'
  | 'noDay'
  | 'dayOver'
  | 'dayFar'
  | 'noNumber'
export type Problems = Partial<Record<keyof TokenForm, Problem>>

interface FieldKind<Value, Typed> {
  /** Returns what the field shows for this value of the limit. */
  format(value: Value | null, limit: TokenLimit, decimal: ',' | '.'): Typed
  /** Returns the value of the limit, null for no limit; undefined if what was typed is not valid. */
  parse(typed: Typed): Value | undefined
  /** The problem of what was typed; `start` is the initial value of the field. */
  problem?(typed: Typed, start: Typed, now: number): Problem | null
}

const FIELD_KINDS: { [K in LimitKind]: FieldKind<LimitValues[K], TypedValues[K]> } = {
  folder: {
    format: value => tidyFolder(value ?? ''),
    parse: typed => (tidyFolder(typed) === '' ? null : `${tidyFolder(typed)}/`),
    problem(typed) {
      const folder = tidyFolder(typed)
      // The folder must leave room for a file name in the path.
      return folder !== '' && pathProblem(`${folder}/a.bin`) !== null ? 'folderInvalid' : null
    },
  },
  right: { format: value => value ?? false, parse: typed => typed },
  size: {
    format: (value, { typedIn = 'MB' }, decimal) =>
      value === null ? { text: '', unit: typedIn } : typedSize(value, decimal),
    parse: bytesOf,
    problem: typed => (bytesOf(typed) === undefined ? 'noSize' : null),
  },
  number: {
    format: value => (value === null ? '' : String(value)),
    parse: numberOf,
    problem: typed => (numberOf(typed) === undefined ? 'noNumber' : null),
  },
  kinds: {
    format: value => value ?? [],
    parse(typed) {
      const kinds = KINDS.filter(kind => typed.includes(kind))
      // Choosing all kinds means the same as choosing none: every kind is allowed.
      return kinds.length === 0 || kinds.length === KINDS.length ? null : kinds
    },
  },
  time: {
    format: value => (value === null ? '' : lastDay(value)),
    parse: typed => (typed === '' ? null : endOfDay(typed)),
    // A day in the past is a problem only if the user has chosen it in this form.
    problem: (typed, start, now) => (typed === start ? null : dayProblem(typed, now)),
  },
  choice: {
    format: value => (value === null ? '' : value ? 'yes' : 'no'),
    parse: typed => (typed === '' ? null : typed === 'yes'),
  },
}

/**
 * The functions for the field of a limit. The cast is needed because the compiler does not know that the kind
 * of a limit and the type of its value belong together.
 */
const fieldKindOf = ({ kind }: TokenLimit) => FIELD_KINDS[kind] as FieldKind<unknown, unknown>

function dayProblem(day: string, now: number): Problem | null {
  if (day === '') return null
  const end = endOfDay(day)
  if (end === undefined) return 'noDay'
  if (end <= now) return 'dayOver'
  return end > TOKEN_VALID_MAX ? 'dayFar' : null
}

function numberOf(text: string): number | null | undefined {
  const trimmedText = text.trim()
  if (trimmedText === '') return null
  return /^[1-9]\d{0,8}$/.test(trimmedText) ? Number(trimmedText) : undefined
}

export function formOf(token: { name: string } & Record<LimitName, unknown>, decimal: ',' | '.'): TokenForm {
  const limits = byLimitName(limit => fieldKindOf(limit).format(token[limit.wire], limit, decimal))
  return { ...limits, name: token.name } as TokenForm
}

export const EMPTY_FORM = formOf({ name: '', ...byLimitName(() => null) }, '.')

export function problemsOf(form: TokenForm, start: TokenForm, now: number): Problems {
  const problems: Problems = {}
  const name = form.name.trim()
  if (name === '') problems.name = 'nameMissing'
  else if (name.length > TOKEN_NAME_MAX) problems.name = 'nameLong'
  for (const limit of TOKEN_LIMITS) {
    const problem = fieldKindOf(limit).problem?.(form[limit.wire], start[limit.wire], now)
    if (problem) problems[limit.wire] = problem
  }
  return problems
}

/** The request for a form without problems. */
export function requestOf(form: TokenForm): Required<NewToken> {
  const limits = byLimitName(limit => fieldKindOf(limit).parse(form[limit.wire]) ?? null)
  return { name: form.name.trim(), ...limits } as Required<NewToken>
}

/**
 * Only the changed values. If all were sent, an expiry that was set to the minute elsewhere would move to the
 * end of its day.
 */
export function changesOf(form: TokenForm, start: TokenForm): Partial<NewToken> {
  const [before, after] = [requestOf(start), requestOf(form)]
  const names = Object.keys(after) as (keyof NewToken)[]
  const changedNames = names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changedNames.map(name => [name, after[name]]))
}
