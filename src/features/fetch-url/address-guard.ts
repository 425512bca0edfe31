/**
 * Which IP addresses nothing is fetched from: everything that is not the public internet. Looked at after a name was
 * resolved, and for every address it resolved to, since a public name may lead anywhere.
 *
 * Ranges: the IANA special-purpose registries (RFC 6890 and its updates).
 */
import { BlockList, isIP } from 'node:net'
import type { RefusedNetwork } from '../../contract/ingest.ts'
import { groupsOf } from '../../http/client-address.ts'

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

const lists = Object.entries(REFUSED).map(([network, ranges]) => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return [network as RefusedNetwork, list] as const
})

/** Where the address leads when nothing may be fetched from there; null when it is public. */
export function refusalOf(address: string): RefusedNetwork | null {
  // What cannot be read is not let through. A zone (`fe80::1%eth0`) only makes sense inside a network.
  if (isIP(address) === 0 || address.includes('%')) return 'reserved'
  const listed = lists.find(([, list]) => list.check(address, familyOf(address)))
  if (listed) return listed[0]
  return isIP(address) === 4
    ? null
    : refusalOfGroups(groupsOf(address).map(group => Number.parseInt(group, 16)))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** An IPv6 address that no range names: an IPv4 address may be hidden in it, and only global unicast is routed. */
function refusalOfGroups(groups: readonly number[]): RefusedNetwork | null {
  const carriesPublic = startsWith(groups, MAPPED) || startsWith(groups, NAT64)
  if (carriesPublic) return refusalOf(ipv4At(groups, 6))
  if (groups[0]! >> 13 !== 0b001) return 'reserved'
  if (groups[0] === SIX_TO_FOUR) return refusalOf(ipv4At(groups, 1))
  return isIsatap(groups) ? refusalOf(ipv4At(groups, 6)) : null
}

/** `::ffff:a.b.c.d`, which every dual-stack socket takes for the IPv4 address itself. */
const MAPPED = [0, 0, 0, 0, 0, 0xffff]
/** RFC 6052: how an IPv6-only network reaches IPv4; names resolve to it there. */
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0]
/** RFC 3056: the IPv4 address follows the first group. */
const SIX_TO_FOUR = 0x2002

/** RFC 5214: an interface identifier below any prefix; two bits of its first group are flags. */
const isIsatap = (groups: readonly number[]) => (groups[4]! & ~0x0300) === 0 && groups[5] === 0x5efe

const startsWith = (groups: readonly number[], start: readonly number[]) =>
  start.every((group, at) => groups[at] === group)

function ipv4At(groups: readonly number[], at: number): string {
  const [high, low] = [groups[at]!, groups[at + 1]!]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
