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
import { germanPathFault } from '../../../../src/contract/paths/path-rules.ts'
import { MAX_VALID_UNTIL, TOKEN_NAME_MAX_LENGTH } from '../../../../src/contract/values/input-limits.ts'
import { trimFolder } from '../../ui/forms/folder-list.ts'
import { parseTypedSize, type TypedSize, toTypedSize } from '../../ui/forms/sizes.ts'
import { endOfDay, lastValidDay } from './validity.ts'

/** What the operator entered, by kind of limit. An empty text or list means no limit. */
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

export type TokenFormProblem =
  | 'nameMissing'
  | 'nameLong'
  | 'folderInvalid'
  | 'noSize'
  | 'noDay'
  | 'dayOver'
  | 'dayFar'
  | 'noNumber'
export type TokenFormProblems = Partial<Record<keyof TokenForm, TokenFormProblem>>

interface FieldKind<Value, Typed> {
  /** Returns what the field shows for this value of the limit. */
  format(value: Value | null, limit: TokenLimit, decimalSeparator: ',' | '.'): Typed
  /** Returns the value of the limit, null for no limit; undefined if what was typed is not understood. */
  parse(typedValue: Typed): Value | undefined
  /**
   * The problem with the typed value; null if there is none. `initialValue` is the value when the form was
   * opened.
   */
  problem?(typedValue: Typed, initialValue: Typed, now: number): TokenFormProblem | null
}

const FIELD_KINDS: { [K in LimitKind]: FieldKind<LimitValues[K], TypedValues[K]> } = {
  folder: {
    format: value => trimFolder(value ?? ''),
    parse: typedValue => (trimFolder(typedValue) === '' ? null : `${trimFolder(typedValue)}/`),
    problem(typedValue) {
      const folder = trimFolder(typedValue)
      // The folder must leave room for a file name in the path.
      return folder !== '' && germanPathFault(`${folder}/a.bin`) !== null ? 'folderInvalid' : null
    },
  },
  right: { format: value => value ?? false, parse: typedValue => typedValue },
  size: {
    format: (value, { inputUnit: defaultUnit = 'MB' }, decimalSeparator) =>
      value === null ? { text: '', unit: defaultUnit } : toTypedSize(value, decimalSeparator),
    parse: parseTypedSize,
    problem: typedValue => (parseTypedSize(typedValue) === undefined ? 'noSize' : null),
  },
  number: {
    format: value => (value === null ? '' : String(value)),
    parse: parseWholeNumber,
    problem: typedValue => (parseWholeNumber(typedValue) === undefined ? 'noNumber' : null),
  },
  kinds: {
    format: value => value ?? [],
    parse(typedValue) {
      const kinds = KINDS.filter(kind => typedValue.includes(kind))
      // Choosing all kinds means the same as choosing none: every kind is allowed.
      return kinds.length === 0 || kinds.length === KINDS.length ? null : kinds
    },
  },
  time: {
    format: value => (value === null ? '' : lastValidDay(value)),
    parse: typedValue => (typedValue === '' ? null : endOfDay(typedValue)),
    // A day in the past is a problem only if the user has chosen it in this form.
    problem: (typedValue, initialValue, now) =>
      typedValue === initialValue ? null : dayProblem(typedValue, now),
  },
  choice: {
    format: value => (value === null ? '' : value ? 'yes' : 'no'),
    parse: typedValue => (typedValue === '' ? null : typedValue === 'yes'),
  },
}

/**
 * The functions for the field of a limit. The cast is needed because the compiler does not know that the kind
 * of a limit and the type of its value belong together.
 */
const fieldKindOf = ({ kind }: TokenLimit) => FIELD_KINDS[kind] as FieldKind<unknown, unknown>

function dayProblem(day: string, now: number): TokenFormProblem | null {
  if (day === '') return null
  const endTime = endOfDay(day)
  if (endTime === undefined) return 'noDay'
  if (endTime <= now) return 'dayOver'
  return endTime > MAX_VALID_UNTIL ? 'dayFar' : null
}

function parseWholeNumber(text: string): number | null | undefined {
  const trimmedText = text.trim()
  if (trimmedText === '') return null
  return /^[1-9]\d{0,8}$/.test(trimmedText) ? Number(trimmedText) : undefined
}

export function formOf(
  token: { name: string } & Record<LimitName, unknown>,
  decimalSeparator: ',' | '.',
): TokenForm {
  const limits = byLimitName(limit =>
    fieldKindOf(limit).format(token[limit.wireName], limit, decimalSeparator),
  )
  return { ...limits, name: token.name } as TokenForm
}

export const EMPTY_FORM = formOf({ name: '', ...byLimitName(() => null) }, '.')

export function problemsOf(form: TokenForm, initialForm: TokenForm, now: number): TokenFormProblems {
  const problems: TokenFormProblems = {}
  const name = form.name.trim()
  if (name === '') problems.name = 'nameMissing'
  else if (name.length > TOKEN_NAME_MAX_LENGTH) problems.name = 'nameLong'
  for (const limit of TOKEN_LIMITS) {
    const problem = fieldKindOf(limit).problem?.(form[limit.wireName], initialForm[limit.wireName], now)
    if (problem) problems[limit.wireName] = problem
  }
  return problems
}

/** The body of the request for a form without problems. */
export function requestOf(form: TokenForm): Required<NewToken> {
  const limits = byLimitName(limit => fieldKindOf(limit).parse(form[limit.wireName]) ?? null)
  return { name: form.name.trim(), ...limits } as Required<NewToken>
}

/**
 * Only the changed values. The form knows only the day of an expiry: if all values were sent, an expiry in
 * the middle of a day would move to the end of that day.
 */
export function changesOf(form: TokenForm, initialForm: TokenForm): Partial<NewToken> {
  const [oldRequest, newRequest] = [requestOf(initialForm), requestOf(form)]
  const names = Object.keys(newRequest) as (keyof NewToken)[]
  const changedNames = names.filter(
    name => JSON.stringify(oldRequest[name]) !== JSON.stringify(newRequest[name]),
  )
  return Object.fromEntries(changedNames.map(name => [name, newRequest[name]]))
}
