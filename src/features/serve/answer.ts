/** From a chosen object and a request to the answer: 304, 416, a part, or the whole. */
import { failure } from '../../errors.ts'
import { matchesNone, rangeStillValid, requestedRange } from '../../http/conditions.ts'
import { CORS_HEADERS } from '../../http/cors.ts'
import type { ByteRange } from '../../storage/storage.ts'
import type { Choice } from './choice.ts'
import type { ObjectBody } from './object-reader.ts'
import { presentationOf } from './presentation.ts'

/** What is going to be answered; `range` is absent for the whole. */
export interface Plan {
  status: 200 | 206 | 304
  range?: ByteRange
}

const WHOLE: Plan = { status: 200 }
export const NOT_MODIFIED: Plan = { status: 304 }

export function planAnswer({ method, headers }: Request, { etag, size }: Choice): Plan {
  const known = headers.get('If-None-Match')
  if (known !== null && matchesNone(known, etag)) return NOT_MODIFIED
  // RFC 9110 section 14.2: a range means something to GET only.
  const asked = method === 'GET' ? headers.get('Range') : null
  if (asked === null) return WHOLE
  if (!rangeStillValid(headers.get('If-Range'), etag)) return WHOLE
  const range = requestedRange(asked, size)
  if (range === 'outside') throw failure.rangeUnsatisfiable(size)
  return range === 'whole' ? WHOLE : { status: 206, range }
}

export function answer(request: Request, plan: Plan, choice: Choice, body: ObjectBody | null): Response {
  const { contentType, inline, policy } = presentationOf(choice.mime)
  const headers: Record<string, string> = {
    // Also on a 304: the type of the same bytes may have changed, and this tells the caches (RFC 9111 section 3.2).
    'Content-Type': contentType,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    // Kept by caches, but asked about each time: an overwritten file is never stale.
    'Cache-Control': 'public, no-cache',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
    Vary: 'Accept',
    ETag: choice.etag,
    ...CORS_HEADERS,
  }
  // To show it in place is what a browser does unless told otherwise.
  if (!inline) headers['Content-Disposition'] = `attachment; filename="${choice.name}"`
  if (plan.range) headers['Content-Range'] = `bytes ${plan.range.start}-${plan.range.end - 1}/${choice.size}`
  // A HEAD answer has no body to take the length from.
  if (request.method === 'HEAD') headers['Content-Length'] = String(choice.size)
  // Bun cuts a file body by `Range` on its own, unless `If-Range` names another tag than `ETag` does: as we decided above.
  return new Response(body, { status: plan.status, headers })
}
