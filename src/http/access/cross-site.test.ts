import { describe, expect, test } from 'bun:test'
import { Failure } from '../../errors/errors.ts'
import { refuseCrossSiteRequest } from './cross-site.ts'
import { mayAccessFiles } from './files-host.ts'

const PUBLIC_URL = 'https://media.example.test/base'
const HOST = 'internal.test:8080'

function passes(headers: Record<string, string>, method = 'POST'): boolean {
  const request = new Request('http://ignored/', { method, headers: { Host: HOST, ...headers } })
  try {
    refuseCrossSiteRequest(request, PUBLIC_URL)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    expect((error as Failure).status).toBe(403)
    return false
  }
}

describe('a request that changes something', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['a program: neither header', {}, true],
    ['our page', { 'Sec-Fetch-Site': 'same-origin' }, true],
    ['no page', { 'Sec-Fetch-Site': 'none' }, true],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, false],
    ['a sibling host', { 'Sec-Fetch-Site': 'same-site' }, false],
    ['a word nobody knows', { 'Sec-Fetch-Site': 'perhaps' }, false],
    ['an empty word', { 'Sec-Fetch-Site': '' }, false],
    ['the own host', { Origin: 'http://internal.test:8080' }, true],
    ['the own host behind TLS', { Origin: 'https://internal.test:8080' }, true],
    ['the own host in other case', { Origin: 'http://INTERNAL.test:8080' }, true],
    ['the public address', { Origin: 'https://media.example.test' }, true],
    ['the public address, port written', { Origin: 'https://media.example.test:443' }, true],
    ['the public address without TLS', { Origin: 'http://media.example.test' }, false],
    ['the public address on another port', { Origin: 'https://media.example.test:8443' }, false],
    ['the own host on another port', { Origin: 'http://internal.test:9090' }, false],
    ['the own host without its port', { Origin: 'http://internal.test' }, false],
    ['a sibling', { Origin: 'https://files.example.test' }, false],
    ['the parent', { Origin: 'https://example.test' }, false],
    ['a child', { Origin: 'https://evil.media.example.test' }, false],
    ['a longer name', { Origin: 'https://media.example.test.evil.test' }, false],
    ['another site by origin', { Origin: 'https://evil.test' }, false],
    ['a sandboxed page', { Origin: 'null' }, false],
    ['an empty origin', { Origin: '' }, false],
    ['no address', { Origin: 'media.example.test' }, false],
    ['an extension', { Origin: 'chrome-extension://internal.test:8080' }, false],
    ['a file', { Origin: 'file://' }, false],
    ['good origin, bad site', { Origin: 'http://internal.test:8080', 'Sec-Fetch-Site': 'cross-site' }, false],
    ['good site, bad origin', { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'same-origin' }, false],
    ['another host forwarded', { Origin: 'https://evil.test', 'X-Forwarded-Host': 'evil.test' }, false],
  ])('%s %j', (_, headers, passing) => {
    expect(passes(headers)).toBe(passing)
  })

  test('a default port counts the same written or not', () => {
    expect(passes({ Host: 'internal.test', Origin: 'https://internal.test' })).toBe(true)
    expect(passes({ Host: 'internal.test:443', Origin: 'https://internal.test' })).toBe(true)
    expect(passes({ Host: 'internal.test:443', Origin: 'http://internal.test' })).toBe(false)
  })
})

describe('by method', () => {
  const foreign = { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' }
  test.each(['GET', 'HEAD', 'OPTIONS'])('%s changes nothing and passes', method => {
    expect(passes(foreign, method)).toBe(true)
  })
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s does not', method => {
    expect(passes(foreign, method)).toBe(false)
  })
})

describe('the host of a request', () => {
  test.each<[string, boolean]>([
    ['files.example.test', true],
    ['FILES.example.test:8080', true],
    ['files.example.test.', true],
    ['files.example.test.:80', true],
    ['example.test', false],
    ['xfiles.example.test', false],
    ['files.example.test.evil.test', false],
  ])('%s', (host, same) => {
    const request = new Request('http://ignored/', { headers: { Host: host } })
    expect(mayAccessFiles(request, 'files.example.test')).toBe(same)
  })
})
