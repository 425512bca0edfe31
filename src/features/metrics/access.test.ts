import { describe, expect, test } from 'bun:test'
import { createMayReadMetrics } from './access.ts'

const from = (address: string | null) => ({ requestIP: () => (address === null ? null : { address }) })
const ask = (headers: Record<string, string> = {}) =>
  new Request('http://x/metrics', { headers: { Host: 'localhost:8080', ...headers } })

describe('without a token', () => {
  const mayRead = createMayReadMetrics(null)

  test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('%s is this machine', address => {
    expect(mayRead(ask(), from(address))).toBe(true)
  })

  test.each(['10.0.0.1', '192.168.1.5', '128.0.0.1', '::2', 'fe80::1', '::ffff:10.0.0.1', '', null])(
    '%p is not',
    address => {
      expect(mayRead(ask(), from(address))).toBe(false)
    },
  )

  test.each(['localhost', '127.0.0.1:8080', '[::1]:8080', 'LOCALHOST:1'])(
    'asked for as %s it answers',
    host => {
      expect(mayRead(ask({ Host: host }), from('127.0.0.1'))).toBe(true)
    },
  )

  test.each([
    { Host: 'media.example.org' },
    { Host: 'localhost.example.org' },
    { Host: '127.0.0.1.example.org' },
    { Host: '' },
    { 'X-Forwarded-For': '203.0.113.7' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { 'X-Real-IP': '203.0.113.7' },
    { Forwarded: 'for=203.0.113.7' },
    { Via: '1.1 proxy' },
    { 'X-Forwarded-Port': '443' },
    { 'X-Forwarded-Prefix': '/media' },
    { 'X-Forwarded': 'for=203.0.113.7' },
    { 'x-forwarded-anything': '' },
    { 'X-Original-URL': '/metrics' },
    { 'True-Client-IP': '203.0.113.7' },
    { 'CF-Connecting-IP': '203.0.113.7' },
    { Origin: 'https://example.org' },
  ])('what came through a proxy or a page does not: %o', headers => {
    expect(mayRead(ask(headers), from('127.0.0.1'))).toBe(false)
  })
})

describe('with a token', () => {
  const mayRead = createMayReadMetrics('a-long-secret-word')
  const right = { Authorization: 'Bearer a-long-secret-word' }
  const proxy = { 'X-Forwarded-For': '203.0.113.7' }

  test('whoever knows it may read, from anywhere and through a proxy', () => {
    expect(mayRead(ask({ ...right, ...proxy }), from('203.0.113.9'))).toBe(true)
    expect(mayRead(ask({ ...right, ...proxy }), from('127.0.0.1'))).toBe(true)
  })

  test('this machine needs none, as long as nothing was forwarded', () => {
    expect(mayRead(ask(), from('127.0.0.1'))).toBe(true)
    expect(mayRead(ask(proxy), from('127.0.0.1'))).toBe(false)
  })

  test.each([
    {},
    { Authorization: 'a-long-secret-word' },
    { Authorization: 'Bearer wrong' },
    { Authorization: 'Bearer ' },
  ])('nobody else: %o', headers => {
    expect(mayRead(ask(headers), from('203.0.113.9'))).toBe(false)
    expect(mayRead(ask({ ...headers, ...proxy }), from('127.0.0.1'))).toBe(false)
  })
})
