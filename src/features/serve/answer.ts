/**
 * Decides which answer a request for the chosen object gets: a 304, an error (412, 416), a range or the whole
 * object. Also builds the headers of the answer.
 */
import { failure } from '../../errors/errors.ts'
import {
  isNotModified,
  isPreconditionMet,
  isRangeStillValid,
  requestedRange,
} from '../../http/answers/conditions.ts'
import { CORS_HEADERS } from '../../http/answers/cors.ts'
import type { BodilessRequest } from '../../http/bodiless-request.ts'
import type { ByteRange } from '../../storage/storage.ts'
import { presentationOf } from './presentation.ts'
import type { ChosenObject } from './variant-and-etag.ts'

/** `range` is absent for the whole object and for a 304. */
export interface AnswerPlan {
  status: 200 | 206 | 304
  range?: ByteRange
}

const WHOLE_FILE: AnswerPlan = { status: 200 }
const NOT_MODIFIED: AnswerPlan = { status: 304 }

export function planAnswer(
  { method, headers }: BodilessRequest,
  { etag, modified, size }: ChosenObject,
): AnswerPlan {
  const validators = { etag, modified }
  // The conditions are checked in the order of RFC 9110 section 13.2.2.
  if (!isPreconditionMet(headers, validators)) throw failure.preconditionFailed()
  if (isNotModified(headers, validators)) return NOT_MODIFIED
  // RFC 9110 section 14.2: ranges are defined for GET only.
  const rangeHeader = method === 'GET' ? headers.get('Range') : null
  if (rangeHeader === null) return WHOLE_FILE
  if (!isRangeStillValid(headers.get('If-Range'), validators)) return WHOLE_FILE
  const range = requestedRange(rangeHeader, size)
  if (range === 'outside') throw failure.rangeUnsatisfiable(size)
  return range === 'whole' ? WHOLE_FILE : { status: 206, range }
}

const bodyLength = ({ range }: AnswerPlan, { size }: ChosenObject) => (range ? range.end - range.start : size)

/**
 * The headers of an answer. `now` caps `Last-Modified`, which must not be later than `Date` (RFC 9110 section
 * 8.8.2.1).
 */
export function headersOf(plan: AnswerPlan, choice: ChosenObject, now: number): Record<string, string> {
  const { contentType, isInline, policy } = presentationOf(choice.mime)
  const headers: Record<string, string> = {
    // Sent with a 304 too: the media type of the same bytes may have changed, and caches then learn the new
    // one (RFC 9111 section 3.2).
    'Content-Type': contentType,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    // Caches may keep the answer but must revalidate, so that an overwritten file is never stale.
    'Cache-Control': 'public, no-cache',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
    Vary: 'Accept',
    ETag: choice.etag,
    'Last-Modified': new Date(Math.min(choice.modified, now)).toUTCString(),
    ...CORS_HEADERS,
  }
  // Without `Content-Disposition`, a browser shows the content inline.
  if (!isInline) headers['Content-Disposition'] = `attachment; filename="${choice.name}"`
  if (plan.range) headers['Content-Range'] = `bytes ${plan.range.start}-${plan.range.end - 1}/${choice.size}`
  if (plan.status !== 304) headers['Content-Length'] = String(bodyLength(plan, choice))
  return headers
}
