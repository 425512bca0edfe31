/** Reads a form that has text fields and no files. */
import type { z } from 'zod'
import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import { validateInput } from './json.ts'
import { MAX_FORM_OVERHEAD, readForm } from './multipart.ts'

/**
 * Rejects with 413 if the form is larger than `limit` bytes plus `MAX_FORM_OVERHEAD`. Rejects with 400 if it
 * is malformed, has more than ten parts or a field larger than `limit`, or if `schema` refuses the fields.
 */
export async function readFormFields<Schema extends z.ZodType>(
  request: IncomingRequest,
  schema: Schema,
  limit: number,
): Promise<z.output<Schema>> {
  const noFileHandlers = { wants: () => false, receive: async () => {} }
  const maxFormBytes = limit + MAX_FORM_OVERHEAD
  const sizeLimit = { bytes: maxFormBytes, createError: () => failure.jsonTooLarge(maxFormBytes) }
  const limits = { parts: 10, fieldSize: limit }
  return validateInput(
    schema,
    Object.fromEntries(await readForm(request, noFileHandlers, { sizeLimit, limits })),
  )
}
