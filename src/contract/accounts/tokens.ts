/** Tokens: schemas of requests and answers. */

import { z } from 'zod'
import { KINDS } from '../paths/kinds.ts'
import { germanPathFault } from '../paths/path-rules.ts'
import { shareXAnswer } from '../upload/sharex.ts'
import { MAX_VALID_UNTIL, TOKEN_NAME_MAX_LENGTH } from '../values/input-limits.ts'
import { positiveInteger } from '../values/number-schemas.ts'
import { maxCharacters } from '../values/text.ts'
import {
  type ByLimitName,
  byLimitName,
  type LimitKind,
  type LimitValues,
  type TokenLimit,
} from './token-limits.ts'

/** The beginning of every token, by which secret scanners can recognise a leaked one. */
export const TOKEN_PREFIX = 'media_'

/** The folder of paths that the service generates for a token without a prefix. */
export const DEFAULT_PREFIX = 'uploads/'

const tokenName = z
  .string()
  .trim()
  .min(1, 'darf nicht leer sein')
  .max(...maxCharacters(TOKEN_NAME_MAX_LENGTH))
  .refine(value => !/\p{Cc}/u.test(value), 'darf keine Steuerzeichen enthalten')

/**
 * `items` and `items/` mean the same. The prefix is stored with the slash, so that `items/` does not match
 * `items2/a`.
 */
const tokenPrefix = z
  .string()
  .transform(value => value.replace(/\/$/, ''))
  // The prefix must leave room for a file name.
  .refine(value => germanPathFault(`${value}/a.bin`) === null, 'ist kein gültiger Pfad für einen Ordner')
  .transform(value => `${value}/`)

/** The input schemas of limits, by type (`kind`). */
const INPUT_SCHEMAS = {
  folder: tokenPrefix.nullable(),
  right: z.boolean().nullable(),
  size: positiveInteger.nullable(),
  number: positiveInteger.nullable(),
  kinds: z.array(z.enum(KINDS)).min(1, 'braucht mindestens eine Art').nullable(),
  time: positiveInteger.max(MAX_VALID_UNTIL, 'liegt zu weit in der Zukunft').nullable(),
  choice: z.boolean().nullable(),
} as const satisfies Record<LimitKind, z.ZodType>

const ANSWER_SCHEMAS = {
  folder: z.string().nullable(),
  right: z.boolean(),
  size: z.int().nullable(),
  number: z.int().nullable(),
  kinds: z.array(z.enum(KINDS)).readonly().nullable(),
  time: z.int().nullable(),
  choice: z.boolean().nullable(),
} as const satisfies { [K in LimitKind]: z.ZodType<LimitValues[K]> }

const inputSchema = ({ kind, description }: TokenLimit) =>
  description ? INPUT_SCHEMAS[kind].describe(description.de) : INPUT_SCHEMAS[kind]

const limitInputs = byLimitName(inputSchema) as ByLimitName<typeof INPUT_SCHEMAS>

/**
 * An omitted limit does not apply, and an omitted right is not granted. Unknown fields are refused, because
 * one may be a misspelt limit.
 */
export const newToken = z
  .strictObject({ name: tokenName, ...limitInputs })
  .partial()
  .required({ name: true })
export type NewToken = z.infer<typeof newToken>

/** An omitted field keeps its value; null removes a limit or a right. */
export const tokenPatch = z.strictObject({ name: tokenName, ...limitInputs }).partial()
export type TokenPatch = z.infer<typeof tokenPatch>

export const tokenAnswer = z.object({
  id: z.string(),
  name: z.string(),
  ...(byLimitName(({ kind }) => ANSWER_SCHEMAS[kind]) as ByLimitName<typeof ANSWER_SCHEMAS>),
  erstellt_am: z.int(),
  zuletzt_benutzt: z.int().nullable(),
  dateien: z.int(),
  bytes: z.int(),
})
export type TokenOnWire = z.output<typeof tokenAnswer>

/** `token`: the token itself, which no other answer shows. */
export const createdTokenAnswer = tokenAnswer.extend({ token: z.string(), sharex: shareXAnswer })
