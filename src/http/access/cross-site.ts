/**
 * Refuses requests that a page of another site makes a browser send on its visitor's behalf. The cookie's
 * `SameSite=Lax` alone would let a sibling host through, and the host that serves uploaded files usually is a
 * sibling host.
 */
import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../server/http-server.ts'

/** These methods change nothing, so any page may send them; a page of another site cannot read the answer. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * `none` means that a person or a program sent the request, not a page. `same-site` is left out on purpose:
 * see the head of this file.
 */
const OWN_SITES = ['same-origin', 'none']

/**
 * Throws 403. Either header alone is enough to refuse. A program that sends neither header has no visitor to
 * abuse.
 */
export function refuseOtherSites(request: IncomingRequest, publicUrl: string): void {
  if (SAFE_METHODS.includes(request.method)) return
  const site = request.headers.get('Sec-Fetch-Site')
  if (site !== null && !OWN_SITES.includes(site)) throw failure.crossSite()
  const origin = request.headers.get('Origin')
  if (origin !== null && !isOwn(origin, request, publicUrl)) throw failure.crossSite()
}

/**
 * Whether the origin is the host of the request, or the public address in case a proxy has replaced the host.
 * The origin `null`, which a sandboxed page sends, is neither.
 */
function isOwn(origin: string, request: IncomingRequest, publicUrl: string): boolean {
  const from = URL.parse(origin)
  if (!from || !['http:', 'https:'].includes(from.protocol)) return false
  if (from.origin === new URL(publicUrl).origin) return true
  // The host is parsed like the origin, so that a default port counts the same whether it is written or not.
  // The scheme is that of the origin: behind a proxy that ends TLS the scheme of the request itself says
  // nothing.
  const host = request.headers.get('Host')
  return host !== null && URL.parse(`${from.protocol}//${host}`)?.host === from.host
}
