import { describe, expect, test } from 'bun:test'
import {
  createFindClientAddress,
  createFindConnectionNetwork,
  networkOf,
  parseNetworks,
} from './client-address.ts'

const clientOf = (trusted: string, socket: string | null, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  const peers = { requestIP: () => (socket === null ? null : { address: socket }) }
  return createFindClientAddress(parseNetworks(trusted)!)(
    new Request('http://localhost/', { headers }),
    peers,
  )
}

describe('who is calling', () => {
  const NOBODY = ''
  const PROXY = '10.0.0.0/8, 127.0.0.1 ::1,fd00::/8'
  test.each<[string, string, string | null, string | undefined, string]>([
    ['the socket', NOBODY, '192.0.2.1', undefined, '192.0.2.1'],
    ['nobody is believed by default', NOBODY, '127.0.0.1', '192.0.2.1', '127.0.0.1'],
    ['nobody but a trusted proxy is believed', PROXY, '192.0.2.9', '192.0.2.1', '192.0.2.9'],
    ['a trusted proxy is', PROXY, '10.1.2.3', '192.0.2.1', '192.0.2.1'],
    ['one just outside the range is not', PROXY, '11.0.0.1', '192.0.2.1', '11.0.0.1'],
    ['one over IPv6 is', PROXY, 'fd00::5', '192.0.2.1', '192.0.2.1'],
    ['one as IPv4 in IPv6 is', PROXY, '::ffff:10.1.2.3', '192.0.2.1', '192.0.2.1'],
    ['the same in hexadecimal', PROXY, '::ffff:a01:203', '192.0.2.1', '192.0.2.1'],
    ['it says nothing', PROXY, '10.1.2.3', undefined, '10.1.2.3'],
    ['it says an empty thing', PROXY, '10.1.2.3', '', '10.1.2.3'],
    [
      'what the client claims itself stands further left',
      PROXY,
      '10.1.2.3',
      '8.8.8.8, 192.0.2.1',
      '192.0.2.1',
    ],
    ['a chain of trusted proxies', PROXY, '127.0.0.1', '8.8.8.8, 192.0.2.1, 10.0.0.2,10.0.0.3', '192.0.2.1'],
    ['the chain ends at the first stranger', PROXY, '127.0.0.1', '10.0.0.1, 192.0.2.1', '192.0.2.1'],
    ['all of them trusted: the furthest', PROXY, '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['rubbish: the hop that wrote it', PROXY, '127.0.0.1', '192.0.2.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['rubbish alone', PROXY, '127.0.0.1', '<script>', '127.0.0.1'],
    ['with a port', PROXY, '127.0.0.1', '192.0.2.1:5555', '192.0.2.1'],
    ['IPv6 with a port', PROXY, '127.0.0.1', '[2001:db8::1]:5555', '2001:db8:0:0:0:0:0:1'],
    ['IPv6 in brackets', PROXY, '127.0.0.1', '[2001:db8::1]', '2001:db8:0:0:0:0:0:1'],
    ['IPv6 bare', PROXY, '127.0.0.1', '2001:DB8:0::1', '2001:db8:0:0:0:0:0:1'],
    ['IPv6 with a zone', NOBODY, 'fe80::1%eth0', undefined, 'fe80:0:0:0:0:0:0:1'],
    ['IPv4 on an IPv6 socket', NOBODY, '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['gone already', NOBODY, null, undefined, 'unbekannt'],
    ['gone already, and nobody believes it', PROXY, null, '192.0.2.1', 'unbekannt'],
  ])('%s', (_, trusted, socket, forwarded, expected) => {
    expect(clientOf(trusted, socket, forwarded)).toBe(expected)
  })

  test('several headers are one list', () => {
    const headers = new Headers([
      ['X-Forwarded-For', '8.8.8.8'],
      ['X-Forwarded-For', '192.0.2.1'],
    ])
    const peers = { requestIP: () => ({ address: '127.0.0.1' }) }
    const request = new Request('http://localhost/', { headers })
    expect(createFindClientAddress(['127.0.0.1'])(request, peers)).toBe('192.0.2.1')
  })
})

describe('whom it counts as', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unbekannt', 'unbekannt'],
  ])('%s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  test('the next /64 is another one', () => {
    expect(networkOf('2001:db8:1:3::1')).not.toBe(networkOf('2001:db8:1:2::1'))
  })
})

describe('TRUST_PROXY', () => {
  test.each<[string, string[] | null]>([
    ['', []],
    ['10.0.0.1', ['10.0.0.1']],
    [' 10.0.0.0/8,::1  fd00::/8 ,', ['10.0.0.0/8', '::1', 'fd00::/8']],
    ['0.0.0.0/0', ['0.0.0.0/0']],
    ['::/0', ['::/0']],
    ['10.0.0.0/33', null],
    ['fd00::/129', null],
    ['10.0.0.0/', null],
    ['10.0.0.0/-1', null],
    ['10.0.0.0/8/8', null],
    ['10.0.0', null],
    ['010.0.0.1', null],
    ['fe80::1%eth0', null],
    ['localhost', null],
    ['true', null],
    ['10.0.0.1;10.0.0.2', null],
  ])('%j', (text, expected) => {
    expect(parseNetworks(text)).toEqual(expected)
  })
})

describe('the network whose connections are limited together', () => {
  const networkOfPeer = createFindConnectionNetwork(['10.0.0.0/8', '2001:db8:ffff::/48'])

  test.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.200', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['192.168.1.5', '192.168.1.0/24'],
  ])('of %s is %s', (peer, network) => {
    expect(networkOfPeer(peer)).toBe(network)
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3', '2001:db8:ffff::1', ''])(
    'is none for this machine and trusted proxies: %p',
    peer => {
      expect(networkOfPeer(peer)).toBeNull()
    },
  )
})
