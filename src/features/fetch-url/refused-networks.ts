/**
 * The ranges of IP addresses from which nothing is fetched: all that are not public. `check-target.ts` checks
 * every address to which a name resolves, since a public name may resolve to any address.
 */
import ipaddr from 'ipaddr.js'
import type { RefusedNetwork } from '../../contract/upload/ingest.ts'
import {
  type Address,
  isInAnyNetwork,
  parseAddress,
  parseValidNetworks,
} from '../../http/access/ip-networks.ts'

const REFUSED_RANGES: Readonly<Record<RefusedNetwork, readonly string[]>> = {
  // A connection to 0.0.0.0 or :: reaches this machine too.
  loopback: ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'],
  private: [
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '100.64.0.0/10', // carrier-grade NAT
    '168.63.129.16/32', // public, but the host of every virtual machine at Azure
    'fc00::/7',
    'fec0::/10',
    '64:ff9b:1::/48', // local NAT64, where the position of the IPv4 address is not fixed
  ],
  linkLocal: ['169.254.0.0/16', 'fe80::/10'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: [
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4', // including the broadcast address
    '2001::/23', // Teredo, ORCHID, benchmarks: protocols, no hosts
    '2001:db8::/32',
    '3fff::/20',
  ],
}

const PARSED_REFUSED_RANGES = Object.entries(REFUSED_RANGES).map(
  ([network, ranges]) => [network as RefusedNetwork, parseValidNetworks(...ranges)] as const,
)

/** RFC 6052 (NAT64): how an IPv6-only network reaches IPv4. The last 32 bits are the IPv4 address. */
const NAT64 = parseValidNetworks('64:ff9b::/96')
/** The IPv6 addresses that are routed on the internet. */
const GLOBAL_UNICAST = parseValidNetworks('2000::/3')
/** RFC 3056 (6to4): the IPv4 address follows the first group. */
const SIX_TO_FOUR = parseValidNetworks('2002::/16')
/**
 * RFC 5214 (ISATAP): the interface identifier ends with the IPv4 address; two bits of its first group are
 * flags.
 */
const isIsatap = ({ parts }: Address) => (parts[4]! & ~0x0300) === 0 && parts[5] === 0x5efe

/** The refused network to which the address belongs; null if the address is public. */
export function refusedNetworkOf(text: string): RefusedNetwork | null {
  // Refuses an invalid address, and one with a zone (`fe80::1%eth0`), which is meaningful only on one
  // machine.
  const address = text.includes('%') ? null : parseAddress(text)
  return address ? refusedNetworkOfAddress(address) : 'reserved'
}

function refusedNetworkOfAddress(address: Address): RefusedNetwork | null {
  const match = PARSED_REFUSED_RANGES.find(([, ranges]) => isInAnyNetwork(address, ranges))
  if (match) return match[0]
  if (address.isIPv4MappedAddress()) return null
  // An IPv4 address may be embedded in this IPv6 address.
  if (isInAnyNetwork(address, NAT64)) return refusedNetworkOfEmbedded(address, 6)
  if (!isInAnyNetwork(address, GLOBAL_UNICAST)) return 'reserved'
  if (isInAnyNetwork(address, SIX_TO_FOUR)) return refusedNetworkOfEmbedded(address, 1)
  return isIsatap(address) ? refusedNetworkOfEmbedded(address, 6) : null
}

/**
 * The refused network of the IPv4 address that is embedded in two groups of an IPv6 address: the group with
 * the index `groupIndex` and the next one.
 */
const refusedNetworkOfEmbedded = ({ parts }: Address, groupIndex: number) =>
  refusedNetworkOfAddress(
    new ipaddr.IPv6([0, 0, 0, 0, 0, 0xffff, parts[groupIndex]!, parts[groupIndex + 1]!]),
  )
