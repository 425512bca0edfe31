import { startsAtFirstByte } from '../../http/answers/conditions.ts'
import type { BodilessRequest } from '../../http/bodiless-request.ts'
import type { ChosenObject } from './variant-and-etag.ts'

/**
 * A retrieval is a GET from the first byte on, even if the client has the bytes already (304). A range that
 * starts later does not count, whatever its answer: a player that seeks may get the whole file or a 304. A
 * HEAD does not count either.
 */
export function isRetrieval({ method, headers }: BodilessRequest, { size }: ChosenObject): boolean {
  const rangeHeader = headers.get('Range')
  return method === 'GET' && (rangeHeader === null || startsAtFirstByte(rangeHeader, size))
}
