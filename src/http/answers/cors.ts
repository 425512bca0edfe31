/**
 * Allows pages of every origin to read files and to call the API routes outside of the dashboard, such as
 * those for tokens; browsers in games have an origin of their own. These routes ignore cookies, so a page can
 * do no more than any program can.
 */
import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import type { BodilessRequest } from '../bodiless-request.ts'

export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': `ETag, Content-Length, Content-Range, Accept-Ranges, Retry-After, ${ERROR_CODE_HEADER}`,
} as const

/**
 * The headers are listed because `*` does not cover `Authorization` (Fetch standard, "CORS-unsafe
 * request-header names").
 */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, X-Path, X-Encoding, X-Overwrite, X-Mime, X-Sha256, Repr-Digest, Content-Digest, X-Requested-With, Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range'

/** Maximum length of `Access-Control-Request-Headers`; a longer header is ignored. */
const MAX_REQUESTED_HEADERS_LENGTH = 1024
/** A header name, RFC 9110 section 5.6.2. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/**
 * The headers in `ALLOWED_HEADERS`, and those that the caller requests, since client libraries add headers of
 * their own.
 */
function allowedHeaders(request: BodilessRequest): string {
  const requestedHeaders = request.headers.get('Access-Control-Request-Headers') ?? ''
  if (requestedHeaders.length > MAX_REQUESTED_HEADERS_LENGTH) return ALLOWED_HEADERS
  const headerNames = requestedHeaders.split(',').map(name => name.trim())
  return [ALLOWED_HEADERS, ...headerNames.filter(name => HEADER_NAME.test(name))].join(', ')
}

const PREFLIGHT_SECONDS = 86_400

export function answerPreflight(request: BodilessRequest, methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': allowedHeaders(request),
      Vary: 'Access-Control-Request-Headers',
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
      Allow: methods.join(', '),
    },
  })
}

export function withCors(response: Response): Response {
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value)
  return response
}
