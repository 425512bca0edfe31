/**
 * Who is calling, as an address. The socket tells, unless a proxy stands in between: what a proxy that the operator
 * trusts reports is believed, what anybody else writes into `X-Forwarded-For` is not.
 */
import { BlockList, isIP } from 'node:net'

/** Where the address of the other end of a connection is asked for; Bun's server is one. */
export interface Peers {
  requestIP(request: Request): { address: string } | null
}

/** Counts like any address, so that a caller who hangs up at once is not outside all counting. */
const UNKNOWN = 'unbekannt'

export type ClientAddress = (request: Request, peers: Peers) => string

/** `trusted` is what `parseNetworks` accepted. */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = blockList(trusted)
  const isTrusted = (address: string) => proxies.check(address, familyOf(address))

  return (request, peers) => {
    let client = normalized(peers.requestIP(request)?.address ?? '')
    if (client === null) return UNKNOWN
    const hops = (request.headers.get('X-Forwarded-For') ?? '').split(',').reverse()
    // From the right: each entry was written by the hop after it, and counts as long as that hop is trusted.
    for (const hop of hops) {
      if (!isTrusted(client)) break
      const reported = normalized(withoutPort(hop.trim()))
      if (reported === null) break
      client = reported
    }
    return client
  }
}

/** The other end of a connection is on this machine. */
export function isLoopback(address: string): boolean {
  const client = normalized(address)
  return client !== null && (client.startsWith('127.') || client === '0:0:0:0:0:0:0:1')
}

/** An IPv6 client owns its whole /64 and could come from a new address at every attempt; so the /64 is who it is. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`
}

/** The network around a client as `networkOf` names it: the /24 of an IPv4 address, which one hand often holds whole. */
export function neighbourhoodOf(client: string): string {
  return isIP(client) === 4 ? `${client.slice(0, client.lastIndexOf('.'))}.0/24` : client
}

/** Splits a list of addresses and CIDR ranges; null when an entry is neither. */
export function parseNetworks(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter(entry => entry !== '')
  const valid = entries.every(entry => {
    const [address = '', bits, ...rest] = entry.split('/')
    const family = isIP(address)
    if (family === 0 || address.includes('%') || rest.length > 0) return false
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  })
  return valid ? entries : null
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** One spelling for each address: an IPv4 client of an IPv6 socket is an IPv4 client. Null when it is none. */
function normalized(text: string): string | null {
  const [address = ''] = text.split('%', 1)
  const family = isIP(address)
  if (family === 0) return null
  if (family === 4) return address
  const groups = groupsOf(address)
  const mapped = groups.slice(0, 5).every(group => group === '0') && groups[5] === 'ffff'
  if (!mapped) return groups.join(':')
  const [high, low] = groups.slice(6).map(group => Number.parseInt(group, 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight groups of a valid IPv6 address, without leading zeros. */
export function groupsOf(address: string): string[] {
  // Bun's URL parser refuses some valid addresses that end in an IPv4 one, such as `1:2:3:4::1.2.3.4`.
  const tailAt = address.lastIndexOf(':') + 1
  const [a, b, c, d] = address.slice(tailAt).split('.').map(Number) as [number, number?, number?, number?]
  const hexadecimal =
    b === undefined
      ? address
      : `${address.slice(0, tailAt)}${((a << 8) | b).toString(16)}:${((c! << 8) | d!).toString(16)}`
  const [head = '', tail] = new URL(`http://[${hexadecimal}]`).hostname.slice(1, -1).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}

/** Some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1]!
  return hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
