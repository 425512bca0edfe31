/**
 * Turns errors into JSON answers. Pages that show an error as HTML take its status and headers from these
 * answers.
 */

import type { Log } from '../../base/log.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import {
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseUnavailableError,
  DatabaseUnflushedError,
} from '../../database/database.ts'
import { Failure, failure } from '../../errors/errors.ts'
import { DamagedObjectError, StorageFullError, StorageUnavailableError } from '../../storage/storage.ts'
import type { BodilessRequest } from '../bodiless-request.ts'
import { REQUEST_ID_HEADER, type RequestIds } from '../request-id.ts'

/**
 * Headers of every error. Caches must not keep an error: a file that is missing now may exist a moment later.
 */
const ERROR_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** Statuses from 500 on that report a mistake of the client and are not logged. */
const CLIENT_ERROR_STATUSES = new Set([501, 505])

/**
 * Makes the answer to an error, and logs errors of the service. The answer has the id of the current request,
 * which `observe-requests.ts` sets. If there is no current request, the id is taken from the `X-Request-Id`
 * header of `request` if that is valid; otherwise it is new.
 */
export type RenderError = (error: unknown, request?: BodilessRequest) => Response

export function createRenderError({ log, ids }: { log: Log; ids: Pick<RequestIds, 'idOf'> }): RenderError {
  return (error, request) => {
    const id = ids.idOf(request)
    const shownFailure = knownFailure(error) ?? failure.unexpected(id, error)
    if (
      shownFailure.status >= 500 &&
      !shownFailure.isLogged &&
      !CLIENT_ERROR_STATUSES.has(shownFailure.status)
    )
      log.error(shownFailure.code, {
        request: id,
        sentence: shownFailure.sentence,
        cause: shownFailure.cause,
      })
    return new Response(JSON.stringify({ error: shownFailure.sentence, ...shownFailure.fields }), {
      status: shownFailure.status,
      headers: {
        ...ERROR_HEADERS,
        ...shownFailure.headers,
        [ERROR_CODE_HEADER]: shownFailure.code,
        [REQUEST_ID_HEADER]: id,
      },
    })
  }
}

/**
 * The errors of our catalogue (`errors.ts`) for system error codes that show a problem of the machine,
 * whichever operation failed.
 */
const FAILURE_BY_SYSTEM_CODE = new Map([
  ['ENOSPC', failure.storageFull],
  ['EDQUOT', failure.storageFull],
  ['EROFS', failure.diskReadOnly],
  ['EIO', failure.diskBroken],
  ['EMFILE', failure.tooManyOpenFiles],
  ['ENFILE', failure.tooManyOpenFiles],
])

/** The error of our catalogue that corresponds to a thrown error; null if the thrown error is unexpected. */
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
  // SQLite reports failed reads and writes, and a damaged database, with these codes.
  return FAILURE_BY_SYSTEM_CODE.get(/^SQLITE_(?:IOERR|CORRUPT)/.test(code) ? 'EIO' : code)?.(error) ?? null
}
