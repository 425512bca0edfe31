/**
 * Who is calling, as an address. The socket tells, unless a proxy stands in between: what a proxy that the operator
 * trusts reports is believed, what anybody else writes into `X-Forwarded-For` is not.
 */
import { isIP } from 'node:net'
import { type Address, isWithin, networksOf, parseAddress, parseNetwork, spelled } from './ip-networks.ts'

/** Where the address of the other end of a connection is asked for; Bun's server is one. */
export interface Peers {
  requestIP(request: Request): { address: string } | null
}

/** Counts like any address, so that a caller who hangs up at once is not outside all counting. */
const UNKNOWN = 'unbekannt'

export type ClientAddress = (request: Request, peers: Peers) => string

/** `trusted` is what `parseNetworks` accepted. */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = networksOf(...trusted)

  return (request, peers) => {
    let client = withoutZone(peers.requestIP(request)?.address ?? '')
    if (client === null) return UNKNOWN
    const hops = (request.headers.get('X-Forwarded-For') ?? '').split(',').reverse()
    // From the right: each entry was written by the hop after it, and counts as long as that hop is trusted.
    for (const hop of hops) {
      if (!isWithin(client, proxies)) break
      const reported = withoutZone(withoutPort(hop.trim()))
      if (reported === null) break
      client = reported
    }
    return spelled(client)
  }
}

const LOOPBACK = networksOf('127.0.0.0/8', '::1')

/** The other end of a connection is on this machine. */
export function isLoopback(address: string): boolean {
  const client = withoutZone(address)
  return client !== null && isWithin(client, LOOPBACK)
}

/** An IPv6 client owns its whole /64 and could come from a new address at every attempt; so the /64 is who it is. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  return `${parseAddress(address)!.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}

/** The network around a client as `networkOf` names it: the /24 of an IPv4 address, which one hand often holds whole. */
export function neighbourhoodOf(client: string): string {
  return isIP(client) === 4 ? `${client.slice(0, client.lastIndexOf('.'))}.0/24` : client
}

/** Splits a list of addresses and CIDR ranges; null when an entry is neither. */
export function parseNetworks(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter(entry => entry !== '')
  return entries.every(entry => parseNetwork(entry) !== null) ? entries : null
}

/** The zone of a link-local address (`fe80::1%eth0`) names an interface of this machine, which is nothing of the client's. */
const withoutZone = (text: string): Address | null => parseAddress(text.split('%', 1)[0] ?? '')

/** Some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1]!
  return hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
