/**
 * IP addresses and CIDR ranges as values. An IPv4 address is the IPv6 address that carries it (`::ffff:a.b.c.d`), which is
 * how a dual-stack socket sees it too; so there is one kind of address and one kind of range.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv6
export type Network = readonly [start: Address, bits: number]

/** Bits in front of the IPv4 address. */
const MAPPED_BITS = 96

/** Null for what is no address. The runtime judges that: the library also takes `127.1` and `0x7f.0.0.1`. */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null
  // The library takes `::8.8.8.8` for `::ffff:8.8.8.8`, which is another address; it reads the longer spelling right.
  const address = ipaddr.parse(text.replace(/^::(?=\d+\.)/, '0::'))
  return address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address
}

/** A range such as `10.0.0.0/8`, or one address; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [first = '', bits, ...rest] = text.split('/')
  const address = first.includes('%') || rest.length > 0 ? null : parseAddress(first)
  if (!address) return null
  if (bits === undefined) return [address, 128]
  const all = (isIP(first) === 4 ? MAPPED_BITS : 0) + Number(bits)
  return /^\d{1,3}$/.test(bits) && all <= 128 ? [address, all] : null
}

/** For ranges that stand in the source: one that cannot be read ends the start, instead of matching nothing. */
export function networksOf(...ranges: readonly string[]): Network[] {
  return ranges.map(range => {
    const network = parseNetwork(range)
    if (!network) throw new Error(`${range} is no range of addresses`)
    return network
  })
}

export const isWithin = (address: Address, networks: readonly Network[]) =>
  networks.some(([start, bits]) => address.match(start, bits))

/** One spelling for each address: an IPv4 client of an IPv6 socket is an IPv4 client. */
export const spelled = (address: Address) =>
  address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toNormalizedString()
