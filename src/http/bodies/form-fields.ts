/** Reads a form that has text fields and no files. */
import type { z } from 'zod'
import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import { validate } from './json.ts'
import { FORM_ALLOWANCE, readForm } from './multipart.ts'

/** Rejects with 413 if the fields have too many bytes, and with 400 if `schema` refuses them. */
export async function readFields<Schema extends z.ZodType>(
  request: IncomingRequest,
  schema: Schema,
  limit: number,
): Promise<z.output<Schema>> {
  const noFiles = { wants: () => false, receive: async () => {} }
  const bytes = limit + FORM_ALLOWANCE
  const sizeLimit = { bytes, exceeded: () => failure.jsonTooLarge(bytes) }
  const limits = { parts: 10, fieldSize: limit }
  return validate(schema, Object.fromEntries(await readForm(request, noFiles, { sizeLimit, limits })))
}
