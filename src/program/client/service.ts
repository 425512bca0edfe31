/** A client of a running service, with a token. Each call makes a single attempt. */

import type { z } from 'zod'
import { attempt } from '../../base/attempt.ts'
import type { TextPair } from '../../base/language.ts'
import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import { MEDIA_TYPE_HEADER, OVERWRITE_HEADER, PATH_HEADER } from '../../contract/upload/headers.ts'
import type { existsAnswer, uploadAnswer } from '../../contract/upload/upload.ts'
import { ClientTrouble, clientErrors, isMissingTlsError } from '../../errors/client.ts'
import { sentencePair } from '../../errors/failure.ts'
import { typeOfPath } from '../../features/upload/type-lookup.ts'
import { createIdleLimit } from './idle-limit.ts'
import { MAX_SINGLE_REQUEST_SIZE, type Resumption, sendResumable } from './resumable.ts'
import { isTransientStatus, retryAfterPause, TransientError } from './retries.ts'

export type ExistsAnswer = z.infer<typeof existsAnswer>
export type UploadAnswer = z.infer<typeof uploadAnswer>

export interface UploadRequest {
  path: string
  file: string
  size: number
  /** If false, the service refuses the upload when a file already exists at the path. */
  overwrite: boolean
  mime?: string | undefined
  sha256: string
  /** The same object in all attempts to upload this file, so that an attempt continues the previous one. */
  resumption: Resumption
  onBytes?(count: number): void
}

/**
 * A call that fails rejects with `TransientError` if another attempt may succeed, otherwise with a
 * `ClientTrouble`.
 */
export type ServiceClient = ReturnType<typeof createServiceClient>

export function createServiceClient({
  origin,
  token,
  now,
}: {
  origin: string
  token: string
  now(): number
}) {
  const request = (route: string, options: RequestInit) =>
    fetch(new URL(route, origin), {
      ...options,
      headers: { ...options.headers, Authorization: `Bearer ${token}` },
      redirect: 'manual',
    }).catch(throwConnectionError)

  async function requestJson<T>(path: string, route: string, options: RequestInit): Promise<T> {
    const response = await request(route, options)
    const text = await response.text().catch(throwConnectionError)
    const answer = parseAnswer(text)
    if (response.status === 200 && answer && 'path' in answer) return answer as T
    throw failureOf(response, errorTextOfAnswer(answer, response.headers), path)
  }

  /**
   * Throws the error to report for a failed `fetch`: no TLS, no connection, or a file that changed while it
   * was sent.
   */
  function throwConnectionError(error: unknown): never {
    if (isMissingTlsError(error)) throw clientErrors.noTls(origin)
    throw error instanceof ClientTrouble ? error : new TransientError(clientErrors.unreachable(origin, error))
  }

  function failureOf(response: Response, refusalText: TextPair | null, path: string): Error {
    const { status, headers } = response
    if (isTransientStatus(status)) {
      const trouble = clientErrors.overloaded(
        origin,
        refusalText ?? [`Status ${status}.`, `Status ${status}.`],
      )
      return new TransientError(trouble, retryAfterPause(headers, now()))
    }
    const code = headers.get(ERROR_CODE_HEADER)
    // Another upload to this path was faster. The next attempt checks which content is stored now.
    if (code === 'path-taken') return new TransientError(clientErrors.refused(refusalText ?? ['', '']), 0)
    return refusalError(origin, { status, code, refusalText, path, location: headers.get('Location') })
  }

  const lookUpFile = (path: string) =>
    requestJson<ExistsAnswer>(path, `/api/exists?pfad=${encodeURIComponent(path)}`, {})

  /** Sends a file in pieces, by the tus protocol. Resolves with false if the service is too old for that. */
  async function trySendInPieces(
    { path, file, size, overwrite, mime, sha256, resumption }: UploadRequest,
    signal: AbortSignal,
    onSent: (count: number) => void,
  ): Promise<boolean> {
    const metadata = {
      pfad: path,
      ueberschreiben: String(overwrite),
      ...(mime !== undefined && { filetype: mime }),
    }
    let isTusUnsupported = false
    const sendRequest = async (route: string, options: RequestInit) => {
      const response = await request(route, { ...options, signal })
      const isGone = GONE_STATUSES.has(response.status)
      if (response.ok || (isGone && options.method === 'HEAD')) return response
      const answer = parseAnswer(await response.text().catch(throwConnectionError))
      isTusUnsupported =
        options.method === 'POST' && response.headers.get(ERROR_CODE_HEADER) === 'route-unknown'
      // The upload no longer exists, or another request writes to it or has written to it. The next attempt
      // asks for the offset of the upload first.
      const isTemporary = isGone || CONTENDED_STATUSES.has(response.status)
      if (isTemporary && options.method === 'PATCH')
        throw new TransientError(
          clientErrors.refused(errorTextOfAnswer(answer, response.headers) ?? ['', '']),
        )
      throw failureOf(response, errorTextOfAnswer(answer, response.headers), path)
    }
    const bytes = (from: number, to: number) => readByteRange(file, [from, to], onSent)
    return sendResumable(sendRequest, {
      size,
      metadata,
      sha256,
      resumption,
      bytes,
      onAttemptStart: onSent,
    }).then(
      () => true,
      error => {
        if (isTusUnsupported) return false
        throw error
      },
    )
  }

  return {
    origin,
    exists: lookUpFile,

    async upload(uploadRequest: UploadRequest): Promise<UploadAnswer> {
      const { path, file, size, overwrite, mime, onBytes } = uploadRequest
      using idleLimit = createIdleLimit()
      const onSent = (count: number) => {
        idleLimit.touch()
        onBytes?.(count)
      }
      if (size > MAX_SINGLE_REQUEST_SIZE && (await trySendInPieces(uploadRequest, idleLimit.signal, onSent)))
        return uploadAnswerOf(uploadRequest, await lookUpFile(path))
      return await requestJson<UploadAnswer>(path, '/api/upload', {
        method: 'POST',
        headers: {
          [PATH_HEADER]: path,
          [OVERWRITE_HEADER]: String(overwrite),
          'Content-Type': 'application/octet-stream',
          'Content-Length': String(size),
          ...(mime !== undefined && { [MEDIA_TYPE_HEADER]: mime }),
        },
        body: readByteRange(file, [0, size], onSent),
        signal: idleLimit.signal,
      })
    },
  }
}

/** Statuses for an upload that the service no longer has. */
const GONE_STATUSES = new Set([404, 410])
/** Statuses that say that another request is writing to the upload or has written to it. */
const CONTENDED_STATUSES = new Set([409, 423])

/**
 * The answer to an upload in pieces, in the same form as an answer of `/api/upload`. `replaced` is unknown
 * and therefore false.
 */
function uploadAnswerOf({ path, size, sha256, mime }: UploadRequest, storedFile: ExistsAnswer): UploadAnswer {
  return {
    path,
    url: storedFile.url,
    size: storedFile.size ?? size,
    sha256: storedFile.sha256 ?? sha256,
    mime: mime ?? typeOfPath(path),
    replaced: false,
  }
}

/**
 * Yields exactly the bytes of the range. Throws if there are fewer or more, because then somebody is writing
 * to the file.
 */
async function* readByteRange(
  file: string,
  [from, to]: readonly [number, number],
  onSent: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  let remainingBytes = to - from
  for await (const chunk of Bun.file(file).slice(from, to).stream()) {
    remainingBytes -= chunk.length
    if (remainingBytes < 0) break
    onSent(chunk.length)
    yield chunk
  }
  if (remainingBytes !== 0) throw clientErrors.changing()
}

function parseAnswer(text: string): Record<string, unknown> | null {
  const value: unknown = attempt(() => JSON.parse(text))
  return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
}

/**
 * The error sentence of an answer, in German and English; null if it has none. The service sends it in
 * German; the error code selects the English one.
 */
export function errorTextOfAnswer(answer: Record<string, unknown> | null, headers: Headers): TextPair | null {
  if (typeof answer?.error !== 'string') return null
  return sentencePair({ code: headers.get(ERROR_CODE_HEADER) ?? '', sentence: answer.error })
}

interface Refusal {
  status: number
  /** The error code. Only Fundus sends one, so null means another server, such as a proxy. */
  code: string | null
  refusalText: TextPair | null
  path: string
  location: string | null
}

function refusalError(origin: string, { status, code, refusalText, path, location }: Refusal): ClientTrouble {
  if (status >= 300 && status < 400 && location !== null) return clientErrors.redirected(origin, location)
  if (code === null || refusalText === null)
    return status === 413 || status === 403
      ? clientErrors.refusedByProxy(status)
      : clientErrors.notFundus(origin, status)
  if (status === 401) return clientErrors.tokenRefused(refusalText)
  if (code === 'prefix-forbidden') return clientErrors.prefixForbidden(refusalText, path)
  if (code === 'quota-exceeded') return clientErrors.quotaReached(refusalText)
  if (code === 'storage-full') return clientErrors.serviceFull(refusalText)
  return clientErrors.refused(refusalText)
}
