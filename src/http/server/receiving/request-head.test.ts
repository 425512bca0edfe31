import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { HeaderFields } from './fields.ts'
import { parseHead, type RequestHead } from './request-head.ts'

const pairs = (headers: HeaderFields) =>
  [...headers.keys()].map(name => [name, headers.get(name)] as [string, string | null])

const HOST = 'Host: example.org'

const headOf = (requestLine: string, ...fields: string[]) =>
  [requestLine, ...fields].map(line => `${line}\r\n`).join('')

const read = (requestLine: string, ...fields: string[]) => parseHead(headOf(requestLine, ...fields))

function parsedHead(requestLine: string, ...fields: string[]): RequestHead {
  const head = read(requestLine, ...fields)
  if (typeof head === 'number') throw new Error(`refused with ${head}`)
  return head
}

describe('the request line', () => {
  test.each([
    ['/', '/'],
    ['/a/b.png', '/a/b.png'],
    ['/a?b=c&d', '/a?b=c&d'],
    ['/a?b=/../c', '/a?b=/../c'],
    ['/a%20b%2Fc', '/a%20b%2Fc'],
    ['/a/../b', '/b'],
    ['/a/./b', '/a/b'],
    ['/../../b', '/b'],
    ['/%2e%2e/b', '/b'],
    ['/a/%2E%2e/b', '/b'],
    ['/a/.%2e', '/'],
    ['/a/.hidden', '/a/.hidden'],
    ['/a"b|c', '/a%22b|c'],
    ['//a//b', '//a//b'],
    ['/a\\..\\b?c\\d', '/a%5C..%5Cb?c%5Cd'],
    ['http://example.org/', '/'],
    ['http://example.org/a/../b?c', '/b?c'],
    ['HTTPS://user@example.org:443/a', '/a'],
  ])('the target %s is %s', (target, meant) => {
    expect(parsedHead(`GET ${target} HTTP/1.1`, HOST).target).toBe(meant)
  })

  test.each(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'get', "!#$%&'*+-.^_`|~09"])(
    'the method %s is taken as it is',
    method => {
      expect(parsedHead(`${method} / HTTP/1.1`, HOST).method).toBe(method)
    },
  )

  test.each([
    ['nothing', ''],
    ['a method alone', 'GET'],
    ['no target', 'GET HTTP/1.1'],
    ['an empty target', 'GET  HTTP/1.1'],
    ['no version', 'GET /'],
    ['a word for a version', 'GET / HTTP'],
    ['a version in small letters', 'GET / http/1.1'],
    ['something behind the version', 'GET / HTTP/1.1 '],
    ['a blank before the method', ' GET / HTTP/1.1'],
    ['no method', ' / HTTP/1.1'],
    ['a method with other characters', 'G(ET / HTTP/1.1'],
    ['a method with a tab behind', 'GET\t/ HTTP/1.1'],
    ['two blanks behind the method', 'GET  / HTTP/1.1'],
    ['two blanks before the version', 'GET /  HTTP/1.1'],
    ['a blank in the target', 'GET /a b HTTP/1.1'],
    ['a tab in the target', 'GET /a\tb HTTP/1.1'],
    ['NUL in the target', 'GET /a\0b HTTP/1.1'],
    ['DEL in the target', 'GET /a\x7fb HTTP/1.1'],
    ['a bare CR in the target', 'GET /a\rb HTTP/1.1'],
    ['a bare LF in the target', 'GET /a\nb HTTP/1.1'],
    ['a bare LF behind the line', 'GET / HTTP/1.1\nX: y'],
    ['a bare CR behind the line', 'GET / HTTP/1.1\rX: y'],
    ['a target that is no path', 'GET a/b HTTP/1.1'],
    ['a query for a target', 'GET ?a HTTP/1.1'],
    ['another scheme', 'GET ftp://example.org/ HTTP/1.1'],
    ['an absolute target without a host', 'GET http:///a HTTP/1.1'],
    ['an absolute target with a user and no host', 'GET http://user@/a HTTP/1.1'],
    ['the asterisk', 'OPTIONS * HTTP/1.1'],
    ['a host and a port', 'CONNECT example.org:443 HTTP/1.1'],
  ])('%s is refused', (_, requestLine) => {
    expect(read(requestLine, HOST)).toBe(400)
  })

  test.each(['HTTP/2.0', 'HTTP/1.2', 'HTTP/0.9', 'HTTP/1', 'HTTP/1.10', 'HTTP/01.1'])(
    'the version %s is not spoken',
    version => {
      expect(read(`GET / ${version}`, HOST)).toBe(505)
    },
  )
})

describe('the fields', () => {
  test('are found whatever the case of their names', () => {
    const { headers } = parsedHead('GET / HTTP/1.1', HOST, 'X-a: b')
    expect([headers.get('x-A'), headers.has('X-A'), headers.get('x-b'), headers.has('X-B')]).toEqual([
      ...['b', true, null, false],
    ])
  })

  test.each([
    ['X:y', 'y'],
    ['X: y', 'y'],
    ['X: \t y z \t ', 'y z'],
    ['X: y\tz', 'y\tz'],
    ['X:', ''],
    ['X: \t ', ''],
    ['X: a:b', 'a:b'],
    ['X: \x80\xe4\xff', '\x80\xe4\xff'],
  ])('%j has its value without the blanks around', (field, value) => {
    expect(parsedHead('GET / HTTP/1.1', HOST, field).headers.get('x')).toBe(value)
  })

  test('several of one name are joined, those of cookies as cookies are', () => {
    const fields = ['Accept: a', 'Cookie: b=1', 'accept: c', 'COOKIE: d=2', 'Accept:']
    const { headers } = parsedHead('GET / HTTP/1.1', HOST, ...fields)
    expect(pairs(headers)).toEqual([
      ['host', 'example.org'],
      ['accept', 'a, c, '],
      ['cookie', 'b=1; d=2'],
    ])
  })

  test.each([
    ['a blank before the colon', 'X : y'],
    ['a tab before the colon', 'X\t: y'],
    ['no colon', 'X'],
    ['no name', ': y'],
    ['an empty line', ''],
    ['a name with a blank', 'X Y: z'],
    ['a name with other characters', 'X(Y): z'],
    ['a name with a letter beyond ASCII', 'X\xe4: z'],
    ['a name with NUL', 'X\0: z'],
    ['a bare LF in the value', 'X: y\nZ: z'],
    ['a bare CR in the value', 'X: y\rZ: z'],
    ['a bare CR at the end of the value', 'X: y\r'],
    ['NUL in the value', 'X: y\0z'],
    ['a control character in the value', 'X: y\x1bz'],
    ['DEL in the value', 'X: y\x7f'],
  ])('%s is refused', (_, field) => {
    expect(read('GET / HTTP/1.1', HOST, field)).toBe(400)
    expect(read('GET / HTTP/1.1', field, HOST)).toBe(400)
  })

  test.each([' folded', '\tfolded', ' Folded: too'])('the continuation of a line is refused: %j', line => {
    expect(read('GET / HTTP/1.1', HOST, 'X: y', line)).toBe(400)
    expect(read('GET / HTTP/1.1', line, HOST)).toBe(400)
  })

  test('are 200 at the most', () => {
    const fields = Array.from({ length: 200 }, (_, at) => `X-${at}: y`)
    expect(parsedHead('GET / HTTP/1.0', ...fields).headers.get('X-199')).toBe('y')
    expect(read('GET / HTTP/1.0', ...fields, 'X-200: y')).toBe(431)
  })
})

describe('the host', () => {
  test('is said once', () => {
    expect(read('GET / HTTP/1.1')).toBe(400)
    expect(read('GET / HTTP/1.1', HOST, HOST)).toBe(400)
    expect(read('GET / HTTP/1.1', HOST, 'hOST: other')).toBe(400)
    expect(parsedHead('GET / HTTP/1.1', 'Host:').headers.get('host')).toBe('')
  })

  test('is that of an absolute target, whatever the field says', () => {
    const hostOf = (requestLine: string, ...fields: string[]) =>
      parsedHead(requestLine, ...fields, 'X: y').headers.get('host')
    expect(hostOf('GET http://other.org:8080/a HTTP/1.1', HOST)).toBe('other.org:8080')
    expect(hostOf('GET HTTP://user@other.org?a HTTP/1.1', 'Host:')).toBe('other.org')
    expect(hostOf('GET http://other.org HTTP/1.0')).toBe('other.org')
    expect(hostOf('GET /http://other.org HTTP/1.1', HOST)).toBe('example.org')
    expect(pairs(parsedHead('GET http://other.org/ HTTP/1.1', 'A: b', HOST, 'C: d').headers)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['host', 'other.org'],
    ])
  })

  test('may be left out in HTTP/1.0', () => {
    expect(parsedHead('GET / HTTP/1.0').target).toBe('/')
    expect(read('GET / HTTP/1.0', HOST, HOST)).toBe(400)
  })
})

describe('the length of the body', () => {
  test.each([
    ['none is said', [], 0],
    ['0', ['Content-Length: 0'], 0],
    ['a number', ['content-length:  1234 '], 1234],
    ['zeros before it', ['Content-Length: 007'], 7],
    ['the most', ['Content-Length: 999999999999999'], 999_999_999_999_999],
    ['chunks', ['Transfer-Encoding: chunked'], 'chunked'],
    ['chunks in capitals', ['transfer-encoding: CHUNKED'], 'chunked'],
  ])('is known: %s', (_, fields, length) => {
    expect(parsedHead('POST / HTTP/1.1', HOST, ...fields).length).toBe(length as number | 'chunked')
  })

  test.each([
    ...['', 'x', '1x', '-1', '+1', '0x10', '1e3', '1.0', '1 2', '1, 1', '1,2', '1;', '"1"', '\xb2'],
    '1000000000000000',
  ])('Content-Length: %s is refused', length => {
    expect(read('POST / HTTP/1.1', HOST, `Content-Length: ${length}`)).toBe(400)
    expect(read('POST / HTTP/1.0', `Content-Length: ${length}`)).toBe(400)
  })

  test.each([
    ...[
      '',
      'identity',
      'gzip',
      'gzip, chunked',
      'chunked, gzip',
      'chunked, chunked',
      'chunked,',
      ', chunked',
    ],
    ...['xchunked', 'chunkedx', 'chunked;q=1', '"chunked"', 'chunked\x0b', '\x0bchunked', 'ch\xfcnked'],
  ])('Transfer-Encoding: %s is refused', coding => {
    expect(read('POST / HTTP/1.1', HOST, `Transfer-Encoding: ${coding}`)).toBe(400)
  })

  test.each([
    ['two lengths', ['Content-Length: 1', 'Content-Length: 2']],
    ['twice the same length', ['Content-Length: 1', 'Content-Length: 1']],
    ['a length and chunks', ['Content-Length: 1', 'Transfer-Encoding: chunked']],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 1']],
    ['no length and chunks', ['Content-Length: 0', 'Transfer-Encoding: chunked']],
    ['chunks twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['a second coding that is empty', ['Transfer-Encoding: chunked', 'Transfer-Encoding:']],
  ])('said in two ways is refused: %s', (_, fields) => {
    expect(read('POST / HTTP/1.1', HOST, ...fields)).toBe(400)
  })

  test('is not said by chunks in HTTP/1.0', () => {
    expect(read('POST / HTTP/1.0', HOST, 'Transfer-Encoding: chunked')).toBe(400)
  })
})

describe('the connection', () => {
  test.each([
    ['HTTP/1.1', [], true],
    ['HTTP/1.1', ['Connection: keep-alive'], true],
    ['HTTP/1.1', ['Connection: closed'], true],
    ['HTTP/1.1', ['Connection: close'], false],
    ['HTTP/1.1', ['Connection: x, Close ,y'], false],
    ['HTTP/1.1', ['Connection: x', 'Connection: close'], false],
    ['HTTP/1.0', [], false],
    ['HTTP/1.0', ['Connection: keep-alive'], false],
  ])('%s with %j goes on: %p', (version, fields, goesOn) => {
    expect(parsedHead(`GET / ${version}`, HOST, ...fields).keepAlive).toBe(goesOn)
  })

  test.each([
    ['HTTP/1.1', [], false],
    ['HTTP/1.1', ['Expect: 100-continue'], true],
    ['HTTP/1.1', ['Expect: 100-Continue'], true],
    ['HTTP/1.1', ['Expect: other'], false],
    ['HTTP/1.0', ['Expect: 100-continue'], false],
  ])('%s with %j waits to be asked for the body: %p', (version, fields, waits) => {
    expect(parsedHead(`POST / ${version}`, HOST, 'Content-Length: 1', ...fields).expectsContinue).toBe(waits)
  })
})

const characters = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
const TOKEN = characters(0x21, 0x7e).filter(character => !'"(),/:;<=>?@[\\]{}'.includes(character))
const VISIBLE = [...characters(0x21, 0x7e), ...characters(0x80, 0xff)]
const textOf = (letters: string[], size: { minLength?: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...letters), ...size })

describe('any head', () => {
  const line = fc.oneof(
    textOf(characters(0, 0xff), { maxLength: 40 }),
    fc.constantFrom(
      'GET / HTTP/1.1',
      'GET http://a/ HTTP/1.1',
      HOST,
      'Content-Length: 1',
      '',
      ' x',
      'a:',
      ':',
    ),
  )

  test('is taken or refused, and never more than that', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), lines => {
        const head = parseHead(`${lines.join('\r\n')}\r\n`)
        if (typeof head === 'number') expect([400, 431, 505]).toContain(head)
        else expect(head.target).toStartWith('/')
      }),
      { numRuns: 2000 },
    )
  })

  test('has a target without blanks, controls and dots to resolve', () => {
    const target = textOf([...'/.%2eE?#\\:@ab', ...characters(0, 0xff)], { maxLength: 12 })
    fc.assert(
      fc.property(target, given => {
        const head = read(`GET /${given} HTTP/1.1`, HOST)
        if (typeof head === 'number') return
        expect(head.target).toMatch(/^\/[!-~]*$/)
        expect(head.target.replace(/\?.*/, '')).not.toMatch(/\/(\.|%2e){1,2}(\/|$)/i)
      }),
      { numRuns: 2000 },
    )
  })

  test('that is well-formed is read back as it was written', () => {
    const name = textOf(TOKEN, { minLength: 1, maxLength: 12 }).filter(
      text => !/^(host|content-length|transfer-encoding)$/i.test(text),
    )
    const words = fc.array(textOf(VISIBLE, { minLength: 1, maxLength: 8 }), { maxLength: 3 })
    const field = fc.record({ name, value: words.map(given => given.join(' ')) })
    const fields = fc.uniqueArray(field, { selector: given => given.name.toLowerCase(), maxLength: 10 })
    const blanks = textOf([' ', '\t'], { maxLength: 2 })
    fc.assert(
      fc.property(textOf(TOKEN, { minLength: 1, maxLength: 8 }), fields, blanks, (method, given, around) => {
        const lines = given.map(({ name, value }) => `${name}:${around}${value}${around}`)
        const head = parsedHead(`${method} /a HTTP/1.1`, HOST, ...lines)
        expect(head.method).toBe(method)
        expect(pairs(head.headers)).toEqual([
          ['host', 'example.org'],
          ...given.map(({ name, value }): [string, string] => [name.toLowerCase(), value]),
        ])
      }),
    )
  })
})
