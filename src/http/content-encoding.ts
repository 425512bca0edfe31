/** Refuses request bodies that are compressed for transport. */
import { failure } from '../errors.ts'

/**
 * Throws before the body is read. A file is stored byte for byte as its sender meant it, so a compressed body is
 * refused.
 */
export function refuseEncoded(request: Request): void {
  const codings = (request.headers.get('Content-Encoding') ?? '').split(',')
  const isPacked = codings.some(coding => !['', 'identity'].includes(coding.trim().toLowerCase()))
  if (isPacked) throw failure.bodyEncoded()
}
