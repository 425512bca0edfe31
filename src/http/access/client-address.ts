/**
 * Finds the IP address of the caller: that of the peer (the other end of the connection) or, if the peer is a
 * proxy that the operator trusts, the one in `X-Forwarded-For`. From any other peer this header is ignored.
 */
import { isIP } from 'node:net'
import type { IncomingRequest } from '../server/http-server.ts'
import {
  type Address,
  addressText,
  isInAnyNetwork,
  parseAddress,
  parseNetwork,
  parseValidNetworks,
} from './ip-networks.ts'

export interface PeerAddresses {
  requestIP(request: IncomingRequest): { address: string } | null
}

/** Stands for an unknown address, so that clients that have already disconnected are rate limited too. */
const UNKNOWN_ADDRESS = 'unbekannt'

export type FindClientAddress = (request: IncomingRequest, peers: PeerAddresses) => string

/**
 * Returns a function that finds the client's address. `trustedProxies`: addresses and CIDR ranges, which
 * `parseNetworks` has already checked.
 */
export function createFindClientAddress(trustedProxies: readonly string[]): FindClientAddress {
  const proxies = parseValidNetworks(...trustedProxies)

  return (request, peers) => {
    let client = parseWithoutZone(peers.requestIP(request)?.address ?? '')
    if (client === null) return UNKNOWN_ADDRESS
    const hops = (request.headers.get('X-Forwarded-For') ?? '').split(',').reverse()
    // The entries are read from right to left. Each was written by the proxy to its right (the last one by
    // the peer), and counts only if that proxy is trusted.
    for (const hop of hops) {
      if (!isInAnyNetwork(client, proxies)) break
      const reportedAddress = parseWithoutZone(removePort(hop.trim()))
      if (reportedAddress === null) break
      client = reportedAddress
    }
    return addressText(client)
  }
}

const LOOPBACK_NETWORKS = parseValidNetworks('127.0.0.0/8', '::1')

/** Whether this is a loopback address, so that the other end of the connection is on this machine. */
export function isLoopback(address: string): boolean {
  const client = parseWithoutZone(address)
  return client !== null && isInAnyNetwork(client, LOOPBACK_NETWORKS)
}

/**
 * Identifies a client for rate limits. An IPv6 client is identified by its /64, because it can usually use
 * all addresses in that network. Any other address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  return `${parseAddress(address)!.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}

/**
 * Identifies the network around a client. `network` is what `networkOf` returns for the client's address. An
 * IPv4 address gives its /24, because all addresses of a /24 often have the same owner. An IPv6 /64 is
 * returned unchanged.
 */
export function surroundingNetworkOf(network: string): string {
  return isIP(network) === 4 ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network
}

/**
 * Returns a function that maps the address of a peer to the network whose connection limit applies. It
 * returns null (no limit) for loopback, unknown addresses, and trusted proxies, which serve many clients.
 */
export function createFindConnectionNetwork(
  trustedProxies: readonly string[],
): (peer: string) => string | null {
  const exemptNetworks = [...parseValidNetworks(...trustedProxies), ...LOOPBACK_NETWORKS]
  return peer => {
    const client = parseWithoutZone(peer)
    if (client === null || isInAnyNetwork(client, exemptNetworks)) return null
    return surroundingNetworkOf(networkOf(addressText(client)))
  }
}

/** Splits a list of addresses and CIDR ranges; null if an entry is neither. */
export function parseNetworks(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter(entry => entry !== '')
  return entries.every(entry => parseNetwork(entry) !== null) ? entries : null
}

/** Parses an address without its zone (`fe80::1%eth0`), which only names an interface of this machine. */
const parseWithoutZone = (text: string): Address | null => parseAddress(text.split('%', 1)[0] ?? '')

/** Removes the port: some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function removePort(hop: string): string {
  const bracketMatch = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketMatch) return bracketMatch[1]!
  return hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
