/** The errors of our catalogue (`errors.ts`) for requests that the HTTP server itself refuses. */
import { type Failure, failure } from '../errors/errors.ts'
import type { Refusal } from './server/http-server.ts'

export const FAILURE_BY_REFUSAL: Readonly<Record<Refusal, () => Failure>> = {
  malformed: failure.requestMalformed,
  'chunks-broken': failure.chunksBroken,
  'head-too-large': failure.headTooLarge,
  'version-unknown': failure.versionUnknown,
  'too-slow': failure.requestSlow,
  'too-many-connections': failure.connectionsCrowded,
}
