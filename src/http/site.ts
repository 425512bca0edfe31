/**
 * Refuses what a page of another site makes a browser send on its visitor's behalf. The cookie's `SameSite=Lax` alone
 * would let a sibling host through, and the host that serves uploaded files usually is one.
 */
import { failure } from '../errors.ts'

/** Change nothing, so they may be asked from anywhere; nobody else's page can read the answer. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** `none`: no page at all, a person or a program. `same-site` is not among them, see above. */
const OWN_SITES = ['same-origin', 'none']

/** Throws 403. Either header alone is enough to refuse; a program that sends neither has no visitor to abuse. */
export function refuseOtherSites(request: Request, publicUrl: string): void {
  if (SAFE_METHODS.includes(request.method)) return
  const site = request.headers.get('Sec-Fetch-Site')
  if (site !== null && !OWN_SITES.includes(site)) throw failure.crossSite()
  const origin = request.headers.get('Origin')
  if (origin !== null && !isOwn(origin, request, publicUrl)) throw failure.crossSite()
}

/**
 * The host of the request, or the public address when a proxy has put another host there. `null`, which a sandboxed
 * page sends, is neither.
 */
function isOwn(origin: string, request: Request, publicUrl: string): boolean {
  const from = URL.parse(origin)
  if (!from || !['http:', 'https:'].includes(from.protocol)) return false
  if (from.origin === new URL(publicUrl).origin) return true
  // Read as the origin is, so that a default port counts the same written or not. Behind a proxy that ends TLS
  // the scheme of the request itself says nothing.
  const host = request.headers.get('Host')
  return host !== null && URL.parse(`${from.protocol}//${host}`)?.host === from.host
}

/** Whether the request came in under this host name, whatever its port. */
export const isForHost = (request: Request, name: string) =>
  hostName(request.headers.get('Host') ?? '') === name

/** Without its port; `example.org.` is `example.org`, written out in full. */
export const hostName = (host: string) => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
