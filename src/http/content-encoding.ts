/** Bodies that are packed for the way. */
import { failure } from '../errors.ts'

/** What is stored is what was meant, byte for byte, so a packed file is refused before its body is read. */
export function refuseEncoded(request: Request): void {
  const codings = (request.headers.get('Content-Encoding') ?? '').split(',')
  const isPacked = codings.some(coding => !['', 'identity'].includes(coding.trim().toLowerCase()))
  if (isPacked) throw failure.bodyEncoded()
}
