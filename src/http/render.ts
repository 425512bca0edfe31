/** The one place where an error becomes an answer. */
import { Failure, failure } from '../errors.ts'
import type { NewId } from '../ids.ts'
import type { Log } from '../log.ts'
import { errorCode } from '../storage/platform.ts'
import { StorageFullError } from '../storage/storage.ts'

/** A mistake is never remembered by a cache: the file may be there the next moment. */
const ERROR_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

export type RenderError = (error: unknown) => Response

export function createRenderError({ log, newId }: { log: Log; newId: NewId }): RenderError {
  return error => {
    const known = catalogued(error, () => newId(10))
    if (known.status >= 500) log.error(known.code, { sentence: known.sentence, cause: known.cause })
    return new Response(JSON.stringify({ error: known.sentence, ...known.fields }), {
      status: known.status,
      headers: { ...ERROR_HEADERS, ...known.headers },
    })
  }
}

function catalogued(error: unknown, reference: () => string): Failure {
  if (error instanceof Failure) return error
  if (error instanceof StorageFullError || errorCode(error) === 'SQLITE_FULL')
    return failure.storageFull(error)
  return failure.unexpected(reference(), error)
}
