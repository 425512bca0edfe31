/**
 * Who may read the figures: whoever knows the token, where one is set; else programs on this very machine. A proxy on
 * the same machine makes everybody look like one of those, so whatever came through a proxy is refused.
 */
import { timingSafeEqual } from 'node:crypto'
import { isLoopback, type Peers } from '../../http/client-address.ts'

/** What proxies add. `TRUST_PROXY` plays no part: trusting a proxy is no reason to trust its clients. */
const PROXY_HEADERS = [
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Real-IP',
  'Forwarded',
  'Via',
]

/** How this machine is called by itself. A proxy that adds nothing hands on the name it is known by. */
const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

export type MayRead = (request: Request, peers: Peers) => boolean

export function createMayRead(token: string | null): MayRead {
  if (token !== null)
    return request => sameSecret(request.headers.get('Authorization') ?? '', `Bearer ${token}`)
  return (request, peers) => {
    const { headers } = request
    return (
      isLoopback(peers.requestIP(request)?.address ?? '') &&
      OWN_NAME.test(headers.get('Host') ?? '') &&
      // A page in a browser of this machine comes from anywhere.
      !headers.has('Origin') &&
      !PROXY_HEADERS.some(name => headers.has(name))
    )
  }
}

/** In a time that tells nothing of either: their hashes have one length and nothing in common. */
function sameSecret(one: string, other: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
