/** Reads request bodies as streams, and refuses compressed ones. */
import { failure } from '../../errors/errors.ts'
import { MAX_SHORT_FILE_SIZE } from '../../storage/storage.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import { freeMemory } from '../server/sending/memory.ts'

/**
 * Yields the body. Rejects if the connection breaks before the announced end, so that a truncated body is
 * never mistaken for a complete one. `abortSignal` ends the reading early, even while no bytes arrive;
 * `server/receiving/body-remainder.ts` then discards the rest.
 */
export async function* bodyOf(
  request: IncomingRequest,
  abortSignal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  const reader = request.body.getReader()
  const release = () => reader.releaseLock()
  abortSignal?.addEventListener('abort', release, { once: true })
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } catch (error) {
    // Releasing the lock makes a waiting read fail with this error.
    if (abortSignal?.aborted) return
    throw request.signal.aborted ? failure.bodyCut() : error
  } finally {
    abortSignal?.removeEventListener('abort', release)
    release()
  }
  if (request.signal.aborted) throw failure.bodyCut()
}

export interface SizeLimit {
  bytes: number
  createError: () => Error
}

/**
 * Yields the body like `bodyOf`, but rejects if it is larger than `limit`: at once if the announced length is
 * larger, otherwise as soon as too many bytes have arrived. Each chunk is freed when the next one is
 * requested, see `freeEachChunk`.
 */
export async function* limitedBody(
  limit: SizeLimit,
  request: IncomingRequest,
  abortSignal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  refuseAnnouncedLength(limit, request)
  let size = 0
  for await (const chunk of freeEachChunk(bodyOf(request, abortSignal))) {
    size += chunk.length
    if (size > limit.bytes) throw limit.createError()
    yield chunk
  }
}

/** Throws if the announced length is too large. */
export function refuseAnnouncedLength({ bytes, createError }: SizeLimit, request: IncomingRequest): void {
  if ((announcedLength(request) ?? 0) > bytes) throw createError()
}

/** Whether the announced length is at most `MAX_SHORT_FILE_SIZE`, so that `readWholeBody` may be called. */
export function hasShortBody(request: IncomingRequest): boolean {
  const length = announcedLength(request)
  return length !== null && length <= MAX_SHORT_FILE_SIZE
}

/** Reads a short body into memory. Rejects like `bodyOf` if the connection breaks. */
export async function readWholeBody(request: IncomingRequest): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return (await request.bytes()) as Uint8Array<ArrayBuffer>
  } catch (error) {
    throw request.signal.aborted ? failure.bodyCut() : error
  }
}

/** `Content-Length`; null without this header, as for a chunked body. */
export function announcedLength(request: IncomingRequest): number | null {
  const header = request.headers.get('Content-Length')
  return header === null ? null : Number(header)
}

/**
 * Frees each chunk when the next is requested, because the garbage collector lets the chunks of many uploads
 * pile up to hundreds of megabytes. Use it only for readers that keep no view of a chunk.
 */
export async function* freeEachChunk(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    freeMemory(chunk)
  }
}
