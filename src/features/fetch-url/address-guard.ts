/**
 * Which IP addresses nothing is fetched from: everything that is not the public internet. Looked at after a name was
 * resolved, and for every address it resolved to, since a public name may lead anywhere.
 *
 * Ranges: the IANA special-purpose registries (RFC 6890 and its updates).
 */
import ipaddr from 'ipaddr.js'
import type { RefusedNetwork } from '../../contract/ingest.ts'
import { type Address, isWithin, networksOf, parseAddress } from '../../http/ip-networks.ts'

const REFUSED: Readonly<Record<RefusedNetwork, readonly string[]>> = {
  // A connection to 0.0.0.0 or :: ends at this machine too.
  loopback: ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'],
  private: [
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '100.64.0.0/10', // carriers' own network
    '168.63.129.16/32', // public by its number, yet the host of every virtual machine at Azure
    'fc00::/7',
    'fec0::/10',
    '64:ff9b:1::/48', // NAT64 of a local network; where the IPv4 address stands in it is that network's affair
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
    '240.0.0.0/4', // the broadcast address included
    '2001::/23', // Teredo, ORCHID, benchmarks: protocols, no hosts
    '2001:db8::/32',
    '3fff::/20',
  ],
}

const refused = Object.entries(REFUSED).map(
  ([network, ranges]) => [network as RefusedNetwork, networksOf(...ranges)] as const,
)

/** RFC 6052: how an IPv6-only network reaches IPv4; names resolve to it there. The IPv4 address stands at the end. */
const NAT64 = networksOf('64:ff9b::/96')
/** The only IPv6 addresses that are routed. */
const GLOBAL_UNICAST = networksOf('2000::/3')
/** RFC 3056: the IPv4 address follows the first group. */
const SIX_TO_FOUR = networksOf('2002::/16')
/** RFC 5214: an interface identifier below any prefix; two bits of its first group are flags. */
const isIsatap = ({ parts }: Address) => (parts[4]! & ~0x0300) === 0 && parts[5] === 0x5efe

/** Where the address leads when nothing may be fetched from there; null when it is public. */
export function refusalOf(text: string): RefusedNetwork | null {
  // What cannot be read is not let through. A zone (`fe80::1%eth0`) only makes sense inside a network.
  const address = text.includes('%') ? null : parseAddress(text)
  return address ? refusalOfAddress(address) : 'reserved'
}

function refusalOfAddress(address: Address): RefusedNetwork | null {
  const listed = refused.find(([, ranges]) => isWithin(address, ranges))
  if (listed) return listed[0]
  if (address.isIPv4MappedAddress()) return null
  // An IPv6 address that no range names: an IPv4 address may be hidden in it.
  if (isWithin(address, NAT64)) return refusalOfHidden(address, 6)
  if (!isWithin(address, GLOBAL_UNICAST)) return 'reserved'
  if (isWithin(address, SIX_TO_FOUR)) return refusalOfHidden(address, 1)
  return isIsatap(address) ? refusalOfHidden(address, 6) : null
}

/** The verdict on the IPv4 address that the group at `at` and the next one are. */
const refusalOfHidden = ({ parts }: Address, at: number) =>
  refusalOfAddress(new ipaddr.IPv6([0, 0, 0, 0, 0, 0xffff, parts[at]!, parts[at + 1]!]))
