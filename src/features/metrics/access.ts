/**
 * Decides who may read the figures: programs on this machine, and callers that know the token, if a token is
 * set. A proxy on the same machine makes every caller look like a program on this machine, so a request that
 * shows a trace of a proxy needs the token.
 */
import { timingSafeEqual } from 'node:crypto'
import { isLoopback, type Peers } from '../../http/access/client-address.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'

/**
 * Headers that proxies add. `TRUST_PROXY` plays no part here: trusting a proxy is no reason to trust its
 * clients.
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
const PROXY_PREFIXES = ['x-forwarded', 'x-original-', 'x-envoy-']

/**
 * The names by which a program on this machine addresses the service in `Host`. A proxy that adds no header
 * of its own still hands on the public name, which is not among these.
 */
const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

export type MayRead = (request: IncomingRequest, peers: Peers) => boolean

export function createMayRead(token: string | null): MayRead {
  const knows = ({ headers }: IncomingRequest) =>
    token !== null && sameSecret(headers.get('Authorization') ?? '', `Bearer ${token}`)
  return (request, peers) => isFromThisMachine(request, peers) || knows(request)
}

function isFromThisMachine(request: IncomingRequest, peers: Peers): boolean {
  const { headers } = request
  return (
    isLoopback(peers.requestIP(request)?.address ?? '') &&
    OWN_NAME.test(headers.get('Host') ?? '') &&
    // A browser on this machine may be showing a page from any site, and `Origin` gives such a page away.
    !headers.has('Origin') &&
    ![...headers.keys()].some(isOfProxy)
  )
}

const isOfProxy = (name: string) =>
  PROXY_HEADERS.has(name) || PROXY_PREFIXES.some(prefix => name.startsWith(prefix))

/**
 * Compares in a time that reveals nothing about either text. The hashes are compared instead of the texts:
 * hashes always have the same length, and the hashes of similar texts have nothing in common.
 */
function sameSecret(one: string, other: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
