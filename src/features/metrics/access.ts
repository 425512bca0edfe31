/**
 * Decides who may read the metrics: programs on this machine, and callers with the token if one is set.
 * Behind a local proxy every caller looks local, so a request with signs of a proxy needs the token.
 */
import { isSameSecret } from '../../base/hash/sha256.ts'
import { isLoopback, type PeerAddresses } from '../../http/access/client-address.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'

/**
 * Headers that proxies commonly add. Those of trusted proxies count too, because the clients of these proxies
 * are not trusted.
 */
const PROXY_HEADERS = new Set([
  'forwarded',
  'via',
  'cdn-loop',
  'client-ip',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
])
const PROXY_HEADER_PREFIXES = ['x-forwarded', 'x-original-', 'x-envoy-']

/**
 * `Host` as local programs send it. A proxy that adds none of the headers above usually forwards the public
 * host name.
 */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

export type MayReadMetrics = (request: IncomingRequest, peers: PeerAddresses) => boolean

export function createMayReadMetrics(token: string | null): MayReadMetrics {
  const hasToken = ({ headers }: IncomingRequest) =>
    token !== null && isSameSecret(headers.get('Authorization') ?? '', `Bearer ${token}`)
  return (request, peers) => isFromThisMachine(request, peers) || hasToken(request)
}

function isFromThisMachine(request: IncomingRequest, peers: PeerAddresses): boolean {
  const { headers } = request
  return (
    isLoopback(peers.requestIP(request)?.address ?? '') &&
    LOCAL_HOST.test(headers.get('Host') ?? '') &&
    // A request with `Origin` comes from a page in a local browser, and the page may be from any site.
    !headers.has('Origin') &&
    ![...headers.keys()].some(isProxyHeader)
  )
}

const isProxyHeader = (name: string) =>
  PROXY_HEADERS.has(name) || PROXY_HEADER_PREFIXES.some(prefix => name.startsWith(prefix))
