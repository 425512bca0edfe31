import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../server/http-server.ts'

/** Refuses a compressed body before it is read, since files are stored byte for byte. */
export function refuseEncodedBody(request: IncomingRequest): void {
  const codings = (request.headers.get('Content-Encoding') ?? '').split(',')
  const isCompressed = codings.some(coding => !['', 'identity'].includes(coding.trim().toLowerCase()))
  if (isCompressed) throw failure.bodyEncoded()
}
