/** The bytes of a request, as they arrive. */
import { failure } from '../errors.ts'

/**
 * Ends only when everything that was announced is there: a connection that breaks in the middle rejects,
 * so that a cut-off body never passes for a short one.
 */
export async function* bodyOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  try {
    for await (const chunk of request.body) yield chunk
  } catch (error) {
    if (request.signal.aborted) throw failure.bodyCut()
    throw error
  }
  if (request.signal.aborted) throw failure.bodyCut()
}

/** What `Content-Length` announces; null when the body comes in chunks. */
export function announcedLength(request: Request): number | null {
  const header = request.headers.get('Content-Length')
  return header === null ? null : Number(header)
}
