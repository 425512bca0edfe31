/**
 * Signed requests to an S3-compatible store, by default with up to three attempts and growing pauses, and
 * with one deadline for all attempts. An attempt whose answer was lost may have succeeded, so callers send
 * only requests that may be repeated.
 */
import { AwsV4Signer } from 'aws4fetch'
import { StorageFullError, StorageUnavailableError } from '../storage.ts'
import { textOf } from './xml.ts'

export interface S3Location {
  /** The address of the store, with its scheme; the bucket is the first segment of the path. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface RequestLimits {
  /** Maximum milliseconds until an answer begins, for one attempt. */
  answerTimeout: number
  /** Maximum milliseconds for all attempts together. */
  totalTimeout: number
  /** Maximum milliseconds until the next bytes of an answer arrive. */
  idleTimeout: number
  /** Milliseconds before the second attempt, the third and so on; each is varied at random by up to half. */
  retryPauses: readonly number[]
}

/**
 * Short enough that a client of the service gets an answer within 10 seconds, even if all attempts of a
 * request fail. (A request with a large body gets more time.)
 */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  answerTimeout: 5_000,
  totalTimeout: 7_000,
  idleTimeout: 5_000,
  retryPauses: [200, 1_000],
}

/**
 * Bytes per millisecond of a slow connection (1 MB/s). The time limits of a request are extended by the time
 * that its body takes at this speed.
 */
const SLOW_BYTES_PER_MS = 1_000

/** SHA-256 of an empty body. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Error codes with which stores report that they are full: those of Ceph and MinIO, and common ones. */
const STORE_FULL_CODES = new Set([
  'QuotaExceeded',
  'InsufficientCapacity',
  'XMinioStorageFull',
  'InsufficientStorage',
])
const INSUFFICIENT_STORAGE = 507
const NOT_IMPLEMENTED = 501

export class S3Error extends StorageUnavailableError {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The name of an object; a request without it is for the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: { bytes: Blob | Uint8Array<ArrayBuffer>; size: number; sha256: string }
  /** Error statuses that are returned instead of thrown. */
  allowedStatuses?: readonly number[]
  /** Additional milliseconds until the answer begins, for slow operations. */
  extraTimeoutMs?: number
}

export function textBody(text: string) {
  const bytes = new TextEncoder().encode(text)
  return { bytes, size: bytes.length, sha256: Bun.SHA256.hash(bytes, 'hex') }
}

export type S3Answer = ReturnType<typeof createS3Answer>

export type S3Requests = ReturnType<typeof createS3Requests>

/**
 * `now`: the clock for signatures. Stores refuse a signature whose time differs from theirs by more than 15
 * minutes. When `signal` is aborted, requests reject with its reason.
 */
export function createS3Requests(
  location: S3Location,
  limits: RequestLimits = DEFAULT_REQUEST_LIMITS,
  now: () => number = Date.now,
  signal?: AbortSignal,
) {
  const { accessKeyId, secretAccessKey, region } = location
  // `cache` keeps the signing key, which is derived once a day.
  const signingOptions = {
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    cache: new Map<string, ArrayBuffer>(),
  }
  const baseUrl = `${location.endpoint.replace(/\/$/, '')}/${location.bucket}`

  /** Milliseconds by which the limits of a request are extended for a slow operation and for its body. */
  const extraTimeOf = ({ body, extraTimeoutMs: extraMs = 0 }: S3Request) =>
    extraMs + (body?.size ?? 0) / SLOW_BYTES_PER_MS

  /** Makes one attempt, in which the answer must begin within `timeout` milliseconds. */
  async function attempt(request: S3Request, timeout: number): Promise<S3Answer> {
    const { method, key: name, query, body, allowedStatuses = [] } = request
    const queryText = query ? `?${new URLSearchParams(query)}` : ''
    const url = `${baseUrl}${name === undefined ? '' : `/${name.split('/').map(encodeURIComponent).join('/')}`}${queryText}`
    const headers = { ...request.headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 }
    const signedRequest = await new AwsV4Signer({
      ...signingOptions,
      url,
      method,
      headers,
      datetime: signingTime(now()),
    }).sign()
    const controller = new AbortController()
    const timer = setTimeout(
      () => controller.abort(new Error(`no answer within ${Math.round(timeout)} ms`)),
      timeout,
    )
    const abort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    try {
      const response = await fetch(url, {
        method,
        headers: signedRequest.headers,
        signal: controller.signal,
        redirect: 'manual',
        ...(body && { body: body.bytes }),
      })
      const answer = createS3Answer(response, controller, limits.idleTimeout)
      if (response.ok || allowedStatuses.includes(response.status)) return answer
      throw await readError(request, answer)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  return {
    async send(request: S3Request): Promise<S3Answer> {
      const extraTime = extraTimeOf(request)
      const deadline = performance.now() + limits.totalTimeout + extraTime
      for (let failedAttempts = 0; ; failedAttempts++) {
        signal?.throwIfAborted()
        // If the machine was suspended during a pause, `deadline` may have passed.
        const timeLeft = Math.max(0, deadline - performance.now())
        try {
          return await attempt(request, Math.min(limits.answerTimeout + extraTime, timeLeft))
        } catch (error) {
          signal?.throwIfAborted()
          const pause =
            (limits.retryPauses[failedAttempts] ?? Number.POSITIVE_INFINITY) * (0.5 + Math.random())
          if (!isTransient(error) || performance.now() + pause >= deadline)
            throw asUnavailableError(error, request)
          await abortableSleep(pause, signal)
        }
      }
    },
  }
}

/** Waits, but ends early if the signal is aborted. */
async function abortableSleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const endPause = () => resolve()
  const timer = setTimeout(endPause, milliseconds)
  signal?.addEventListener('abort', endPause)
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', endPause)
}

/** The time format of signatures: `20260131T235959Z`. */
const signingTime = (time: number) => new Date(time).toISOString().replace(/[:-]|\.\d{3}/g, '')

/**
 * Whether another attempt may help: the store did not answer, reported an error of its own, or got too many
 * requests.
 */
export const isTransient = (error: unknown) =>
  error instanceof S3Error
    ? (error.status >= 500 && error.status !== NOT_IMPLEMENTED) || error.status === 429
    : !(error instanceof StorageFullError)

function asUnavailableError(error: unknown, { method, key = '' }: S3Request): unknown {
  if (error instanceof StorageUnavailableError || error instanceof StorageFullError) return error
  return new StorageUnavailableError(`the store does not answer (${method} ${key})`, { cause: error })
}

async function readError({ method, key = '' }: S3Request, answer: S3Answer): Promise<Error> {
  const xml = await answer.text()
  const code = textOf(xml, 'Code') ?? ''
  const error = new S3Error(
    answer.status,
    code,
    `the store refuses (${method} ${key}): ${answer.status} ${code} ${textOf(xml, 'Message') ?? ''}`,
  )
  if (answer.status === INSUFFICIENT_STORAGE || STORE_FULL_CODES.has(code))
    return new StorageFullError({ cause: error })
  return error
}

function createS3Answer(response: Response, controller: AbortController, idleTimeout: number) {
  /**
   * The body in chunks. Rejects if no bytes arrive for `idleTimeout` milliseconds. If the caller stops before
   * the end, the connection is closed.
   */
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader()
    if (!reader) return
    let isComplete = false
    try {
      for (;;) {
        const onSilence = () =>
          controller.abort(new StorageUnavailableError(`the store sends no bytes for ${idleTimeout} ms`))
        const timer = setTimeout(onSilence, idleTimeout)
        const { done, value } = await reader.read().finally(() => clearTimeout(timer))
        if (controller.signal.aborted) throw controller.signal.reason
        if (done) {
          isComplete = true
          return
        }
        yield value
      }
    } finally {
      // A connection can be reused only if its answer was read to the end; otherwise it is closed.
      if (!isComplete) controller.abort()
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    chunks,
    /** Closes the connection without reading the body. */
    drop: () => controller.abort(),
    async text() {
      return Buffer.concat(await Array.fromAsync(chunks())).toString()
    },
  }
}
