/**
 * Who may read the figures: programs on this very machine, and whoever knows the token where one is set. A proxy on the
 * same machine makes everybody look like a program on it, so whatever shows a trace of one needs the token.
 */
import { timingSafeEqual } from 'node:crypto'
import { isLoopback, type Peers } from '../../http/client-address.ts'

/** What proxies add. `TRUST_PROXY` plays no part: trusting a proxy is no reason to trust its clients. */
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

/** How this machine is called by itself. A proxy that adds nothing hands on the name it is known by. */
const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

export type MayRead = (request: Request, peers: Peers) => boolean

export function createMayRead(token: string | null): MayRead {
  const knows = ({ headers }: Request) =>
    token !== null && sameSecret(headers.get('Authorization') ?? '', `Bearer ${token}`)
  return (request, peers) => isFromThisMachine(request, peers) || knows(request)
}

function isFromThisMachine(request: Request, peers: Peers): boolean {
  const { headers } = request
  return (
    isLoopback(peers.requestIP(request)?.address ?? '') &&
    OWN_NAME.test(headers.get('Host') ?? '') &&
    // A page in a browser of this machine comes from anywhere.
    !headers.has('Origin') &&
    ![...headers.keys()].some(isOfProxy)
  )
}

const isOfProxy = (name: string) =>
  PROXY_HEADERS.has(name) || PROXY_PREFIXES.some(prefix => name.startsWith(prefix))

/** In a time that tells nothing of either: their hashes have one length and nothing in common. */
function sameSecret(one: string, other: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
