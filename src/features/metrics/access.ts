/**
 * Decides who may read the metrics: programs on this machine, and callers with the token, if one is set. A
 * local proxy makes every caller look local, so a request with a trace of a proxy needs the token.
 */
import { isSameSecret } from '../../base/hash/sha256.ts'
import { isLoopback, type PeerAddresses } from '../../http/access/client-address.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'

/** Headers that proxies add, trusted proxies included: their clients are not trusted. */
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

/** `Host` as local programs send it. A proxy that adds no header usually passes on the public name. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

export type MayRead = (request: IncomingRequest, peers: PeerAddresses) => boolean

export function createMayRead(token: string | null): MayRead {
  const hasToken = ({ headers }: IncomingRequest) =>
    token !== null && isSameSecret(headers.get('Authorization') ?? '', `Bearer ${token}`)
  return (request, peers) => isFromThisMachine(request, peers) || hasToken(request)
}

function isFromThisMachine(request: IncomingRequest, peers: PeerAddresses): boolean {
  const { headers } = request
  return (
    isLoopback(peers.requestIP(request)?.address ?? '') &&
    LOCAL_HOST.test(headers.get('Host') ?? '') &&
    // A local browser may be showing a page from any site; then the request has the header `Origin`.
    !headers.has('Origin') &&
    ![...headers.keys()].some(isProxyHeader)
  )
}

const isProxyHeader = (name: string) =>
  PROXY_HEADERS.has(name) || PROXY_HEADER_PREFIXES.some(prefix => name.startsWith(prefix))
