/** Turns errors into answers; no other code does so. */

import { errorCode } from '../../base/error-code.ts'
import type { Log } from '../../base/log.ts'
import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import {
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseUnavailableError,
  DatabaseUnflushedError,
} from '../../database/database.ts'
import { Failure, failure } from '../../errors/errors.ts'
import { DamagedObjectError, StorageFullError, StorageUnavailableError } from '../../storage/storage.ts'
import type { RequestHead } from '../request-head.ts'
import { REQUEST_ID, type RequestIds } from '../request-id.ts'

/**
 * Headers of every error. Caches must not keep an error: a file that is missing now may exist a moment later.
 */
const ERROR_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** Statuses from 500 on that are the client's mistake and are not logged. */
const ABOUT_THE_REQUEST = new Set([501, 505])

/**
 * `request` is passed only by code outside of `observed.ts`, where there is no current request whose id could
 * be used.
 */
export type RenderError = (error: unknown, request?: RequestHead) => Response

export function createRenderError({ log, ids }: { log: Log; ids: Pick<RequestIds, 'of'> }): RenderError {
  return (error, request) => {
    const id = ids.of(request)
    const known = knownFailure(error) ?? failure.unexpected(id, error)
    if (known.status >= 500 && !known.isLogged && !ABOUT_THE_REQUEST.has(known.status))
      log.error(known.code, { request: id, sentence: known.sentence, cause: known.cause })
    return new Response(JSON.stringify({ error: known.sentence, ...known.fields }), {
      status: known.status,
      headers: { ...ERROR_HEADERS, ...known.headers, [ERROR_CODE_HEADER]: known.code, [REQUEST_ID]: id },
    })
  }
}

/** System errors that concern the machine, independent of what was being done. */
const BY_SYSTEM_CODE = new Map([
  ['ENOSPC', failure.storageFull],
  ['EDQUOT', failure.storageFull],
  ['EROFS', failure.diskReadOnly],
  ['EIO', failure.diskBroken],
  ['EMFILE', failure.tooManyOpenFiles],
  ['ENFILE', failure.tooManyOpenFiles],
])

/** The catalogue's error for a thrown one; null if the thrown error is unexpected. */
export function knownFailure(error: unknown): Failure | null {
  if (error instanceof Failure) return error
  if (error instanceof StorageFullError) return failure.storageFull(error)
  if (error instanceof DatabaseFullError) return failure.databaseFull(error)
  if (error instanceof DatabaseBusyError) return failure.databaseBusy(error)
  if (error instanceof DatabaseUnflushedError) return failure.databaseUnflushed(error)
  if (error instanceof DatabaseUnavailableError)
    return error.mayBeStored ? failure.databaseUncertain(error) : failure.databaseUnavailable(error)
  if (error instanceof DamagedObjectError) return failure.storageDamaged(error)
  if (error instanceof StorageUnavailableError) return failure.storageUnavailable(error)
  const code = errorCode(error)
  // Codes with which SQLite reports a failed read.
  return BY_SYSTEM_CODE.get(/^SQLITE_(?:IOERR|CORRUPT)/.test(code) ? 'EIO' : code)?.(error) ?? null
}
