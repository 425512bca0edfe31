import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RefusedNetwork } from '../../contract/upload/ingest.ts'
import { refusedNetworkOf } from './refused-networks.ts'

const words = (text: string) => text.trim().split(/\s+/)

/** First, last and an inner address of each range, in many spellings. */
const REFUSED: Record<RefusedNetwork, readonly string[]> = {
  loopback: words(`
    127.0.0.1 127.0.0.0 127.1.2.3 127.255.255.255 0.0.0.0 0.0.0.1 0.255.255.255 ::1 ::
    0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 0:0:0:0:0:0:0:0 ::0001 ::0.0.0.1
    ::0.0.0.0 ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:127.0.0.1 0:0:0:0:0:ffff:7f00:0001
    ::ffff:0.0.0.0 ::ffff:0:1 64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::0.0.0.0 2002:7f00:1::
    2002:7f00:0001::1 2002:0:0::1 2a00:1450:4001:81b:0:5efe:127.0.0.1
    2a00:1450:4001:81b:200:5efe:7f00:1
  `),
  private: words(`
    10.0.0.0 10.0.0.1 10.255.255.255 172.16.0.0 172.16.0.1 172.24.8.9 172.31.255.255 192.168.0.0
    192.168.1.1 192.168.255.255 100.64.0.0 100.64.0.1 100.100.100.200 100.127.255.255 168.63.129.16
    fc00:: fc00::1 fd00::1 fd00:ec2::254 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fec0::1 feff::1
    64:ff9b:1::1 64:ff9b:1:ffff:ffff:ffff:ffff:ffff 64:ff9b:1::8.8.8.8 ::ffff:10.0.0.1 ::ffff:a00:1
    ::ffff:172.16.0.1 ::ffff:192.168.0.1 ::ffff:100.64.0.1 ::ffff:168.63.129.16 64:ff9b::10.0.0.1
    64:ff9b::192.168.1.1 64:ff9b::ac10:1 2002:a00:1:: 2002:c0a8:101::1 2002:ac1f:ffff::1
    2002:6440:1::1 2a00:1450:4001:81b::5efe:10.0.0.1 2a00:1450:4001:81b:200:5efe:192.168.0.1
    2a00:1450:4001:81b:100:5efe:192.168.0.1 2a00:1450:4001:81b:300:5efe:172.16.0.1
  `),
  linkLocal: words(`
    169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255 fe80:: fe80::1 fe80::5efe:10.0.0.1
    febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff ::ffff:169.254.169.254 ::ffff:a9fe:a9fe
    64:ff9b::169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::
    2a00:1450:4001:81b::5efe:169.254.169.254
  `),
  multicast: words(`
    224.0.0.0 224.0.0.1 239.255.255.255 ff00:: ff02::1 ff0e::1
    ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ::ffff:224.0.0.1 64:ff9b::224.0.0.1 2002:e000:1::
  `),
  reserved: [
    ...words(`
    192.0.0.0 192.0.0.8 192.0.0.170 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.1 192.0.2.255
    192.88.99.1 198.18.0.0 198.18.0.1 198.19.255.255 198.51.100.0 198.51.100.7 198.51.100.255
    203.0.113.0 203.0.113.1 203.0.113.255 240.0.0.0 240.0.0.1 250.1.2.3 255.255.255.254
    255.255.255.255 2001:db8::1 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 3fff::1
    3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
    2001:0:808:808::1 2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1 ::127.0.0.1 ::10.0.0.1
    ::8.8.8.8 ::2 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8 100::1 64:ff9b:2::1 64:ff9b:0:1::8.8.8.8
    5f00::1 1fff::1 4000::1 8000::1 fe00::1 ::ffff:192.0.2.1 ::ffff:255.255.255.255
    64:ff9b::198.18.0.1 64:ff9b::203.0.113.1 2002:c000:201::1 2002:f000:1::1 localhost 127.1
    0177.0.0.1 0x7f.0.0.1 2130706433 8.8.8 8.8.8.8.8 256.8.8.8 8.8.8.8/32 [2606:4700:4700::1111]
    2606:4700:4700::1111%eth0 fe80::1%eth0 fe80::1%2 ::1%lo 2606:::1
  `),
    '',
    ' ',
    '8.8.8.8 ',
    '1.1.1.1\n',
  ],
}

/** Among them the neighbours just outside of each range. */
const PUBLIC = words(`
  1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0
  126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255
  172.32.0.0 172.160.0.1 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.88.98.255 192.88.100.0
  192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255
  203.0.114.0 223.255.255.255 2000::1 2001:200::1 2001:db7:ffff::1 2001:db9::1 2001:4860:4860::8888
  2003::1 2606:4700:4700::1111 2606:4700:4700:0:0:0:0:1111 2A00:1450:4001:81B::200E
  2a00:1450:4001:81b:127:0:0:1 2a00:1450:4001:81b::7f00:1 3ffe::1 3fff:1000::1 ::ffff:8.8.8.8
  ::ffff:808:808 64:ff9b::8.8.8.8 64:ff9b::808:808 2002:808:808::1 2a00:1450:4001:81b::5efe:8.8.8.8
  2a00:1450:4001:81b:200:5efe:8.8.8.8
`)

describe('address guard', () => {
  const refused = Object.entries(REFUSED).flatMap(([network, list]) =>
    list.map(each => [each, network] as const),
  )

  test.each(refused)('%p is refused: %s', (address, network) =>
    expect(refusedNetworkOf(address)).toBe(network as RefusedNetwork),
  )

  test.each(PUBLIC)('%s is public', address => expect(refusedNetworkOf(address)).toBeNull())

  test('the table is long enough, and nothing stands in it twice', () => {
    const all = [...refused.map(([address]) => address), ...PUBLIC]
    expect(all.length).toBeGreaterThanOrEqual(150)
    expect(new Set(all).size).toBe(all.length)
  })

  test('whatever is refused as IPv4 is refused in every IPv6 form that carries it, and the other way round', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
        const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)]
        const alone = refusedNetworkOf([a, b, c, d].join('.'))
        for (const form of [
          `::ffff:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2a00:1450:4001:81b:0:5efe:${high}:${low}`,
        ]) {
          expect([form, refusedNetworkOf(form)]).toEqual([form, alone])
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('nothing outside global unicast is public but the two forms that carry public IPv4', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), groups => {
        fc.pre(groups[0]! >> 13 !== 1)
        expect(refusedNetworkOf(groups.map(each => each.toString(16)).join(':'))).not.toBeNull()
      }),
      { numRuns: 1000 },
    )
  })
})
