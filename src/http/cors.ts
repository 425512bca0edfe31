/**
 * Pages of any origin may call the token routes and read files: an in-game browser has an origin of its own. No
 * cookie counts there, so allowing everyone gives nobody more than a program without a browser has.
 */

export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Content-Length, Content-Range, Accept-Ranges, Retry-After',
} as const

/** `*` would not cover `Authorization` (Fetch standard, "CORS-unsafe request-header names"), so it is named. */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, X-Path, X-Encoding, X-Overwrite, X-Mime, X-Requested-With, Range, If-None-Match, If-Range'

const PREFLIGHT_SECONDS = 86_400

export function preflight(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
      Allow: methods.join(', '),
    },
  })
}

export function withCors(response: Response): Response {
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value)
  return response
}
