/** Reads a JSON body, limits its size, and checks it against its schema; errors name the field. */
import { z } from 'zod'
import { ownValue } from '../../contract/values/own-value.ts'
import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import { ByteCollector } from '../server/sending/memory.ts'
import { announcedLength, bodyOf } from './body.ts'

export const JSON_LIMIT = 64 * 1024

/**
 * Reads the body as JSON, whatever its media type. Rejects with 413 above `limit` bytes, and with 400 for
 * invalid JSON or a value that the schema refuses. An empty body is read as `emptyBodyValue`, if given.
 */
export async function readJson<Schema extends z.ZodType>(
  request: IncomingRequest,
  schema: Schema,
  limit = JSON_LIMIT,
  emptyBodyValue?: unknown,
): Promise<z.output<Schema>> {
  const bytes = await readBytes(request, limit)
  return validateInput(
    schema,
    bytes.length === 0 && emptyBodyValue !== undefined ? emptyBodyValue : parseJson(bytes),
  )
}

/** Returns the output of the schema. Throws 400 with a sentence that names the invalid field. */
export function validateInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(omitOptionalNulls(schema, value), { error: germanMessage })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw failure.inputInvalid(issue?.path.join('.') ?? '', issue?.message ?? 'ist ungültig')
}

/**
 * Leaves out optional fields that are null. If the schema accepts null in any field, nothing is left out,
 * because null then has a meaning, such as removing a limit.
 */
function omitOptionalNulls(schema: z.ZodType, value: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value
  if (!Object.values(value).includes(null)) return value
  const fields: Record<string, z.ZodType> = schema.shape
  if (Object.values(fields).some(field => field.safeParse(null).success)) return value
  const isOptional = (name: string) => ownValue(fields, name)?.safeParse(undefined).success === true
  return Object.fromEntries(
    Object.entries(value).filter(([name, fieldValue]) => fieldValue !== null || !isOptional(name)),
  )
}

async function readBytes(request: IncomingRequest, limit: number): Promise<Uint8Array> {
  if ((announcedLength(request) ?? 0) > limit) throw failure.jsonTooLarge(limit)
  const body = new ByteCollector()
  for await (const chunk of bodyOf(request)) {
    body.add(chunk)
    if (body.length > limit) throw failure.jsonTooLarge(limit)
  }
  return body.take()
}

/** Throws 400 for invalid JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    // `fatal` refuses invalid UTF-8, which would otherwise be stored with replacement characters.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw failure.jsonBroken()
  }
}

const TYPE_MESSAGES: Readonly<Record<string, string>> = {
  string: 'muss ein Text sein',
  number: 'muss eine Zahl sein',
  int: 'muss eine ganze Zahl sein',
  boolean: 'muss true oder false sein',
  array: 'muss eine Liste sein',
  object: 'muss ein Objekt sein',
  record: 'muss ein Objekt sein',
}

/**
 * The German message for an issue for which the schema has no message of its own. It is the predicate of a
 * sentence that begins with `Das Feld „x“` (“The field x”).
 */
function germanMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'fehlt'
        : (ownValue(TYPE_MESSAGES, issue.expected) ?? 'hat die falsche Art')
    case 'invalid_value':
      if (issue.input === undefined) return 'fehlt'
      return `muss ${issue.values.map(value => `„${String(value)}“`).join(' oder ')} sein`
    case 'too_small':
      return issue.origin === 'number' ? `muss mindestens ${issue.minimum} sein` : 'ist zu kurz'
    case 'too_big':
      return issue.origin === 'number' ? `darf höchstens ${issue.maximum} sein` : 'ist zu lang'
    case 'unrecognized_keys':
      return `enthält Unbekanntes: ${issue.keys.map(key => `„${key.slice(0, 50)}“`).join(', ')}`
    default:
      return 'ist ungültig'
  }
}
