/** Reads the bytes of a request as they arrive, and refuses bytes that are compressed for transport. */
import { failure } from '../../errors/errors.ts'
import { SHORT_BYTES } from '../../storage/storage.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import { free } from '../server/sending/memory.ts'

/**
 * Yields the bytes of the body. Ends only when all announced bytes have arrived: a connection that breaks in
 * the middle makes the generator reject, so that a cut-off body is never taken for a short one. The signal
 * `giveUp` ends the generator early, also while the sender pauses. Unread bytes stay in the request:
 * `server/rest.ts` waits for their end.
 */
export async function* bodyOf(request: IncomingRequest, giveUp?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  const reader = request.body.getReader()
  const release = () => reader.releaseLock()
  giveUp?.addEventListener('abort', release, { once: true })
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } catch (error) {
    // A read that was waiting when the lock was released ends with this error.
    if (giveUp?.aborted) return
    throw request.signal.aborted ? failure.bodyCut() : error
  } finally {
    giveUp?.removeEventListener('abort', release)
    release()
  }
  if (request.signal.aborted) throw failure.bodyCut()
}

/** The most bytes that are allowed, and the error for more. */
export interface SizeLimit {
  bytes: number
  exceeded: () => Error
}

/**
 * As `bodyOf`, and rejects when the body has more bytes than `limit` allows: before the first one where that
 * is announced, else in mid-stream. Each chunk is freed when the next one is asked for, see `released`.
 */
export async function* bodyWithin(
  limit: SizeLimit,
  request: IncomingRequest,
  giveUp?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  refuseAnnounced(limit, request)
  let size = 0
  for await (const chunk of released(bodyOf(request, giveUp))) {
    size += chunk.length
    if (size > limit.bytes) throw limit.exceeded()
    yield chunk
  }
}

/** Throws when the body announces itself as too large. */
export function refuseAnnounced({ bytes, exceeded }: SizeLimit, request: IncomingRequest): void {
  if ((announcedLength(request) ?? 0) > bytes) throw exceeded()
}

/** Whether the request announces a body so short that it may be read by `wholeBody`. */
export function isShort(request: IncomingRequest): boolean {
  const length = announcedLength(request)
  return length !== null && length <= SHORT_BYTES
}

/**
 * The bytes of a short body. Rejects like `bodyOf` when the connection breaks before all of them have
 * arrived.
 */
export async function wholeBody(request: IncomingRequest): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return (await request.bytes()) as Uint8Array<ArrayBuffer>
  } catch (error) {
    throw request.signal.aborted ? failure.bodyCut() : error
  }
}

/** The length that `Content-Length` announces; null when the body comes in chunks. */
export function announcedLength(request: IncomingRequest): number | null {
  const header = request.headers.get('Content-Length')
  return header === null ? null : Number(header)
}

/**
 * Frees each chunk as soon as the next one is asked for. If the garbage collector had to do so, the chunks of
 * many uploads would pile up to hundreds of megabytes. Only for a reader that keeps no view of a chunk.
 */
export async function* released(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    free(chunk)
  }
}

/**
 * Throws before the body is read. A file is stored byte for byte as its sender meant it, so a compressed body
 * is refused.
 */
export function refuseEncoded(request: IncomingRequest): void {
  const codings = (request.headers.get('Content-Encoding') ?? '').split(',')
  const isPacked = codings.some(coding => !['', 'identity'].includes(coding.trim().toLowerCase()))
  if (isPacked) throw failure.bodyEncoded()
}
