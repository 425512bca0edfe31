/**
 * Uploads a large file in pieces (tus), so that the upload continues after a broken connection, in another
 * network, after a reload, and after a restart of the service. The service stores the unfinished uploads of
 * an account, so choosing the same file for the same target continues the upload even in another tab.
 */

import { STORED_PATH_HEADER } from '../../../../src/contract/upload/headers.ts'
import { DASHBOARD_TUS_ROUTE, TUS_PIECE_TYPE, TUS_VERSION } from '../../../../src/contract/upload/tus-wire.ts'
import { parseJson } from '../../../../src/contract/values/parse-json.ts'
import { MEGABYTE } from '../../../../src/contract/values/units.ts'
import { get } from '../../api/client.ts'
import { ApiError, ConnectionError, errorOfAnswer } from '../../api/error.ts'
import type { UploadJob } from '../plan/plan.ts'
import { type SendOptions, type TransferRequest, transfer } from './transfer.ts'

/** A file with more bytes than this is sent in pieces instead of in a form, unless it is an archive. */
export const MAX_FORM_FILE_BYTES = 8 * MEGABYTE

/** Bytes per request: less than the 100 MB that some proxies accept at most. */
const PIECE_BYTES = 32 * MEGABYTE

const VERSION_HEADER = { 'Tus-Resumable': TUS_VERSION }

/**
 * Uploads the file and resolves to the path at which it was stored. If the upload is cancelled, the service
 * is asked to delete what it has stored of it.
 */
export async function sendInPieces(job: UploadJob, options: SendOptions): Promise<string> {
  const { signal } = options
  let location = await findUpload(job)
  try {
    for (let previousStartOffset = -1; ; ) {
      const offset = location === null ? null : await offsetOf(location, options)
      if (offset === null) location = await createUpload(job, options)
      const startOffset = offset ?? 0
      // If the previous attempt made no progress, an error of this one is passed to the queue, which decides
      // what to do about it.
      const isStuck = startOffset <= previousStartOffset
      previousStartOffset = startOffset
      try {
        return await sendPieces(job, location!, startOffset, options)
      } catch (error) {
        if (isStuck || !canResume(error)) throw error
      }
    }
  } catch (error) {
    if (signal.aborted && location !== null) void cancelUpload(location)
    throw error
  }
}

/**
 * Whether the upload can be resumed or started over after an error: the connection broke, the upload has
 * expired or no longer exists, the service has stored another number of bytes than expected, or another
 * request still writes to the upload.
 */
const canResume = (error: unknown) =>
  error instanceof ConnectionError ||
  (error instanceof ApiError &&
    [404, 409, 410, 423].includes(error.status) &&
    error.code?.startsWith('tus-') === true)

async function sendPieces(
  job: UploadJob,
  location: string,
  startOffset: number,
  options: SendOptions,
): Promise<string> {
  const { file } = job
  for (let offset = startOffset; ; ) {
    const piece = file.slice(offset, offset + PIECE_BYTES)
    const request = await requestOrThrow(
      {
        method: 'PATCH',
        url: location,
        body: piece,
        headers: { ...VERSION_HEADER, 'Upload-Offset': String(offset), 'Content-Type': TUS_PIECE_TYPE },
      },
      { ...options, onProgress: sentBytes => options.onProgress(offset + sentBytes) },
    )
    offset = Number(request.getResponseHeader('Upload-Offset') ?? Number.NaN)
    const path = request.getResponseHeader(STORED_PATH_HEADER)
    if (path !== null) return path
    // A success answer with neither `X-Pfad` nor `Upload-Offset` does not come from the service, but from a
    // proxy.
    if (Number.isNaN(offset)) throw new ConnectionError('The answer is not that of the service.')
  }
}

async function findUpload({ file, target }: UploadJob): Promise<string | null> {
  const { uploads } = await get('tus')
  const upload = uploads.find(
    ({ eigen, path, laenge, geaendert }) =>
      eigen && path === target && laenge === file.size && geaendert === file.lastModified,
  )
  return upload ? `${DASHBOARD_TUS_ROUTE}/${upload.id}` : null
}

/** The number of bytes of the upload that the service has stored; null if the upload no longer exists. */
async function offsetOf(location: string, options: SendOptions): Promise<number | null> {
  try {
    const request = await requestOrThrow({ method: 'HEAD', url: location, headers: VERSION_HEADER }, options)
    return Number(request.getResponseHeader('Upload-Offset') ?? 0)
  } catch (error) {
    if (error instanceof ApiError && [404, 410].includes(error.status)) return null
    throw error
  }
}

async function createUpload(
  { file, target, overwrite, action }: UploadJob,
  options: SendOptions,
): Promise<string> {
  const metadata = {
    pfad: target,
    ueberschreiben: String(overwrite),
    aktion: action,
    lastModified: String(file.lastModified),
  }
  // `btoa` is sufficient, because all values are ASCII.
  const metadataPairs = Object.entries(metadata).map(([name, value]) => `${name} ${btoa(value)}`)
  const headers = {
    ...VERSION_HEADER,
    'Upload-Length': String(file.size),
    'Upload-Metadata': metadataPairs.join(','),
  }
  const request = await requestOrThrow({ method: 'POST', url: DASHBOARD_TUS_ROUTE, headers }, options)
  const location = request.getResponseHeader('Location')
  if (location === null) throw new ConnectionError('The answer is not that of the service.')
  return location
}

/** Sends a request and throws unless the answer is a success. */
async function requestOrThrow(
  transferRequest: TransferRequest,
  options: SendOptions,
): Promise<XMLHttpRequest> {
  const request = await transfer(transferRequest, options)
  if (request.status >= 200 && request.status < 300) return request
  const headers = { get: (name: string) => request.getResponseHeader(name) }
  throw errorOfAnswer(request.status, headers, parseJson(request.responseText))
}

/** Asks the service to delete an unfinished upload, which it would otherwise keep for about a day. */
export const cancelUpload = (location: string): Promise<unknown> =>
  fetch(location, { method: 'DELETE', headers: VERSION_HEADER }).catch(() => {})
