/**
 * IP addresses and CIDR ranges. IPv4 addresses are represented as IPv4-mapped IPv6 addresses
 * (`::ffff:a.b.c.d`), as a dual-stack socket reports them, so there is only one format.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv6
export type Network = readonly [start: Address, bits: number]

/** Length of the prefix before the IPv4 address in an IPv4-mapped address. */
const MAPPED_BITS = 96

/**
 * Parses an address; null if the text is not an IP address. The library alone would also accept `127.1` and
 * `0x7f.0.0.1`.
 */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null
  // The library misreads `::8.8.8.8` as `::ffff:8.8.8.8`; it reads `0::8.8.8.8` correctly.
  const address = ipaddr.parse(text.replace(/^::(?=\d+\.)/, '0::'))
  return address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address
}

/** Parses a range such as `10.0.0.0/8` or a single address; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [addressPart = '', bits, ...rest] = text.split('/')
  const address = addressPart.includes('%') || rest.length > 0 ? null : parseAddress(addressPart)
  if (!address) return null
  if (bits === undefined) return [address, 128]
  const prefixBits = (isIP(addressPart) === 4 ? MAPPED_BITS : 0) + Number(bits)
  return /^\d{1,3}$/.test(bits) && prefixBits <= 128 ? [address, prefixBits] : null
}

/**
 * Parses ranges that are known to be valid. Throws for an invalid range, which would otherwise match nothing.
 */
export function parseValidNetworks(...ranges: readonly string[]): Network[] {
  return ranges.map(range => {
    const network = parseNetwork(range)
    if (!network) throw new Error(`${range} is no range of addresses`)
    return network
  })
}

export const isInAnyNetwork = (address: Address, networks: readonly Network[]) =>
  networks.some(([start, bits]) => address.match(start, bits))

/** The canonical spelling; an IPv4-mapped address is spelled as IPv4. */
export const addressText = (address: Address) =>
  address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toNormalizedString()
