/**
 * IP addresses and CIDR ranges as values. An IPv4 address is held as the IPv6 address that carries it
 * (`::ffff:a.b.c.d`), which is also how a dual-stack socket sees an IPv4 address. So there is one kind of
 * address and one kind of range.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv6
export type Network = readonly [start: Address, bits: number]

/** Bits in front of the IPv4 address in the IPv6 address that carries it. */
const MAPPED_BITS = 96

/**
 * Null when the text is not an address. The runtime decides that, because the library also accepts `127.1`
 * and `0x7f.0.0.1`.
 */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null
  // The library reads `::8.8.8.8` as `::ffff:8.8.8.8`, which is another address. It reads `0::8.8.8.8`
  // correctly.
  const address = ipaddr.parse(text.replace(/^::(?=\d+\.)/, '0::'))
  return address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address
}

/** Reads a range such as `10.0.0.0/8` or a single address; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [first = '', bits, ...rest] = text.split('/')
  const address = first.includes('%') || rest.length > 0 ? null : parseAddress(first)
  if (!address) return null
  if (bits === undefined) return [address, 128]
  const all = (isIP(first) === 4 ? MAPPED_BITS : 0) + Number(bits)
  return /^\d{1,3}$/.test(bits) && all <= 128 ? [address, all] : null
}

/**
 * For ranges in the source code, and for ranges that were checked before: a range that cannot be read throws
 * and so ends the start, instead of matching nothing.
 */
export function networksOf(...ranges: readonly string[]): Network[] {
  return ranges.map(range => {
    const network = parseNetwork(range)
    if (!network) throw new Error(`${range} is no range of addresses`)
    return network
  })
}

export const isWithin = (address: Address, networks: readonly Network[]) =>
  networks.some(([start, bits]) => address.match(start, bits))

/**
 * Gives each address one spelling: the address of an IPv4 client of an IPv6 socket is spelled as an IPv4
 * address.
 */
export const spelled = (address: Address) =>
  address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toNormalizedString()
