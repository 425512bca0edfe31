/**
 * CSRF protection: refuses requests that a page of another site makes a browser send, unless their method is
 * safe (such as GET). The cookie's `SameSite=Lax` would let a sibling host through, and the host of uploaded
 * files usually is a sibling.
 */
import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../server/http-server.ts'

/** These methods change nothing, and a page of another site cannot read the dashboard's answer. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Allowed values of `Sec-Fetch-Site`. `none`: no page caused the request, for example because a person typed
 * the address. `same-site` is not allowed, because another host of the same site may serve uploaded files.
 */
const ALLOWED_FETCH_SITES = ['same-origin', 'none']

/**
 * Throws 403 if the method is not safe and `Sec-Fetch-Site` or `Origin` shows that a page of another host
 * sent the request. Programs other than browsers send neither header and are allowed: they have no visitor
 * whose cookie could be abused.
 */
export function refuseCrossSiteRequest(request: IncomingRequest, publicUrl: string): void {
  if (SAFE_METHODS.includes(request.method)) return
  const site = request.headers.get('Sec-Fetch-Site')
  if (site !== null && !ALLOWED_FETCH_SITES.includes(site)) throw failure.crossSite()
  const origin = request.headers.get('Origin')
  if (origin !== null && !isOwnOrigin(origin, request, publicUrl)) throw failure.crossSite()
}

/**
 * Whether the origin is the request's host, or `PUBLIC_URL` in case a proxy replaced the host. The origin
 * `null`, which a sandboxed page sends, is neither.
 */
function isOwnOrigin(origin: string, request: IncomingRequest, publicUrl: string): boolean {
  const originUrl = URL.parse(origin)
  if (!originUrl || !['http:', 'https:'].includes(originUrl.protocol)) return false
  if (originUrl.origin === new URL(publicUrl).origin) return true
  // The host is parsed like the origin, so that a default port is removed. It gets the scheme of the origin,
  // because behind a proxy that terminates TLS the request's own scheme is not that of the client.
  const host = request.headers.get('Host')
  return host !== null && URL.parse(`${originUrl.protocol}//${host}`)?.host === originUrl.host
}
