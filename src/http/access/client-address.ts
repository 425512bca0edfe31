/**
 * Finds the IP address of the caller. The socket tells the address unless a proxy stands in between. The
 * service believes what a proxy reports that the operator trusts; it ignores what anybody else writes into
 * `X-Forwarded-For`.
 */
import { isIP } from 'node:net'
import type { IncomingRequest } from '../server/http-server.ts'
import { type Address, isWithin, networksOf, parseAddress, parseNetwork, spelled } from './ip-networks.ts'

/** Tells the address of the other end of a connection. */
export interface Peers {
  requestIP(request: IncomingRequest): { address: string } | null
}

/**
 * Stands for an unknown address. It counts like any address, so that a caller who hangs up at once does not
 * escape all counting.
 */
const UNKNOWN = 'unbekannt'

export type ClientAddress = (request: IncomingRequest, peers: Peers) => string

/** `trusted` is a list that `parseNetworks` accepted. */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = networksOf(...trusted)

  return (request, peers) => {
    let client = withoutZone(peers.requestIP(request)?.address ?? '')
    if (client === null) return UNKNOWN
    const hops = (request.headers.get('X-Forwarded-For') ?? '').split(',').reverse()
    // From right to left: each entry was written by the hop after it, and counts as long as that hop is
    // trusted.
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

/** Whether the other end of a connection is on this machine. */
export function isLoopback(address: string): boolean {
  const client = withoutZone(address)
  return client !== null && isWithin(client, LOOPBACK)
}

/**
 * What identifies a client. An IPv6 client owns its whole /64 and could use a new address at every attempt,
 * so its /64 identifies it. An IPv4 client is identified by its address.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  return `${parseAddress(address)!.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}

/**
 * The network around a client as `networkOf` names it. For an IPv4 address this is its /24, because one owner
 * often holds the whole /24.
 */
export function neighbourhoodOf(client: string): string {
  return isIP(client) === 4 ? `${client.slice(0, client.lastIndexOf('.'))}.0/24` : client
}

/**
 * Tells the network whose connections are limited together; null for this machine and for proxies that the
 * operator trusts, whose connections are those of all their clients.
 */
export function createConnectionNetwork(trusted: readonly string[]): (peer: string) => string | null {
  const exempt = [...networksOf(...trusted), ...LOOPBACK]
  return peer => {
    const client = withoutZone(peer)
    if (client === null || isWithin(client, exempt)) return null
    return neighbourhoodOf(networkOf(spelled(client)))
  }
}

/** Splits a list of addresses and CIDR ranges; null when an entry is neither. */
export function parseNetworks(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter(entry => entry !== '')
  return entries.every(entry => parseNetwork(entry) !== null) ? entries : null
}

/**
 * Parses an address without its zone. The zone of a link-local address (`fe80::1%eth0`) names an interface of
 * this machine and says nothing about the client.
 */
const withoutZone = (text: string): Address | null => parseAddress(text.split('%', 1)[0] ?? '')

/** Removes the port, because some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1]!
  return hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
