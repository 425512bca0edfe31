/** HTTP/1.1 requests from a grammar that sometimes deviates, a few of them damaged afterwards. */
import fc from 'fast-check'

/** Replaced by a real token later. */
const TOKEN = 'T'.repeat(40)
const LOGIN = JSON.stringify({ benutzer: 'nobody', passwort: 'a wrong password' })

/** Mostly what the standard knows, sometimes something else. */
const mostly = (usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>, weight = 40) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })
const one = (...texts: string[]) => fc.constantFrom(...texts)
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map(texts => texts.join(''))
const binary = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map(bytes => Buffer.from(bytes).toString('latin1'))

const lineEnd = mostly(one('\r\n'), one('\n', '\r', '\r\r\n', ' \r\n', '', '\0\r\n'), 200)
const method = mostly(
  one('GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'BREW'),
  one('get', 'G(T', '', 'GET\t', '\0', 'CONNECT', 'PRI', 'M'.repeat(3000)),
)
const target = mostly(
  one(
    ...[
      '/health',
      '/f/fuzz/a.txt',
      '/f/fuzz/a.txt',
      '/f/fuzz/none.txt',
      '/t/fuzz/a.txt',
      '/api/upload',
      '/api/upload',
    ],
    ...[
      '/api/exists?pfad=fuzz/a.txt',
      '/api/dash/login',
      '/api/dash/ich',
      '/nowhere',
      '/s/none',
      '/api/v3/file',
    ],
    ...[
      '/f/../health',
      '/%2e%2e/health',
      '/a\\..\\health',
      '//health',
      '/health#a',
      'http://x/health',
      '/f/%00',
    ],
  ),
  fc.oneof(one('*', 'a', '', 'x:443', 'http://', '/ /', `/${'a'.repeat(17_000)}`), binary(12)),
)
const space = mostly(one(' '), one('  ', '\t', ''), 100)
/** Method and target that belong together, so that many requests reach their route. */
const call = mostly(
  one(
    ...[
      'GET /health',
      'GET /f/fuzz/a.txt',
      'HEAD /f/fuzz/a.txt',
      'OPTIONS /api/upload',
      'GET /api/exists?pfad=fuzz/a.txt',
    ],
    ...[
      'POST /api/upload',
      'POST /api/upload',
      'POST /api/image',
      'POST /api/dash/login',
      'DELETE /api/media/fuzz/b.bin',
    ],
  ),
  joined(method, space, target),
  2,
)
const version = mostly(
  one('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'),
  one('HTTP/2.0', 'HTTP/1.2', 'http/1.1', '', 'HTTP/'),
)

const field = mostly(
  one(
    ...[
      'X-Path: fuzz/b.bin',
      'X-Path: ../b',
      `Authorization: Bearer ${TOKEN}`,
      `Authorization: Bearer ${TOKEN}`,
    ],
    ...[
      'Authorization: Basic eDp4',
      'Cookie: fundus_sitzung=x',
      'Range: bytes=1-3',
      'Range: bytes=9-1',
      'If-None-Match: "x"',
    ],
    ...[
      'Connection: close',
      'Connection: keep-alive, x',
      'Expect: 100-continue',
      'Expect: x',
      'Accept: image/webp',
    ],
    ...[
      'Content-Type: application/json',
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Encoding: gzip',
    ],
    ...[
      'Upgrade: websocket',
      'TE: trailers',
      'X-Overwrite: false',
      'X-Forwarded-For: 1.2.3.4',
      'X-Sha256: 0',
      'Origin: null',
    ],
  ),
  fc.oneof(
    one(
      'X : y',
      'X',
      ': y',
      ' folded',
      '\tfolded',
      'X: y\0',
      'X: y\rz',
      'X\xe4: y',
      'Host: x',
      'Host:',
      '__proto__: x',
    ),
    one('Content-Length: 3', 'Content-Length: -1', 'Transfer-Encoding: gzip', `X: ${'a'.repeat(17_000)}`),
    fc.constant('X: y\r\n'.repeat(250).trimEnd()),
    joined(binary(6), one(':', ': ', ''), binary(12)),
  ),
)

/** The field that gives the length of the body, and the body. */
const content = fc.oneof(one('hello', LOGIN, '{"a":', '--x\r\n\r\n--x--', ''), binary(64))
const withLength = fc.tuple(content, mostly(one('0'), one('1', '-1', '5', 'x'))).map(([body, more]) => ({
  fields: [`Content-Length: ${more === 'x' ? more : body.length + Number(more)}`],
  body,
}))
const extension = mostly(
  one('', '', ';a=b', ' ;a="b c"'),
  one(';\n', ';\r', ' ', `;${'e'.repeat(2000)}`, ';\0'),
)
const size = (data: string) =>
  mostly(
    fc.constant(data.length.toString(16)),
    one('', '0x5', '-1', '+1', 'g', 'ffffffffffff', '10000000000000000', '0000000000001', ' 1'),
  )
const chunk = fc
  .oneof(
    one('hello', ' world', LOGIN),
    binary(40).filter(text => text !== ''),
  )
  .chain(data => joined(size(data), extension, lineEnd, fc.constant(data), lineEnd))
const trailers = mostly(
  one('', '', 'X: y\r\n'),
  one('X\r\n', ' z\r\n', 'Content-Length: 1\r\n', 'Host: x\r\n', 'A: b\r\n'.repeat(2000)),
)
const inChunks = fc
  .tuple(
    joined(
      fc.array(chunk, { maxLength: 4 }).map(all => all.join('')),
      one('0', '0', '000'),
      extension,
      lineEnd,
      trailers,
      lineEnd,
    ),
  )
  .map(([body]) => ({ fields: ['Transfer-Encoding: chunked'], body }))
const both = fc.tuple(inChunks, withLength).map(([{ fields, body }, other]) => ({
  fields: [...fields, ...other.fields],
  body,
}))
const framing = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ fields: [] as string[], body: '' }) },
  { weight: 4, arbitrary: withLength },
  { weight: 4, arbitrary: inChunks },
  { weight: 1, arbitrary: both },
)

const request = fc
  .record({
    line: joined(call, space, version, lineEnd),
    host: mostly(one('Host: x'), one('', 'Host: a b', 'Host: x\r\nHost: x')),
    rights: one('', ...Array<string>(2).fill(`Authorization: Bearer ${TOKEN}\r\nX-Path: fuzz/b.bin`)),
    fields: fc.array(field, { maxLength: 4 }),
    framing,
    ends: fc.array(lineEnd, { minLength: 9, maxLength: 9 }),
  })
  .map(({ line, host, rights, fields, framing: { fields: lengths, body }, ends }) => {
    const lines = [host, rights, ...fields, ...lengths].filter(text => text !== '')
    return `${line}${lines.map((text, at) => text + ends[at]!).join('')}${ends.at(-1)}${body}`
  })

/** Removes some bytes and inserts others. */
const damage = fc.record({
  at: fc.nat(),
  removed: fc.oneof(fc.constant(0), fc.nat({ max: 6 })),
  inserted: fc.oneof(
    one('\r\n', '\n', '\r\n\r\n', '\0', ' ', ':', '0\r\n\r\n', 'GET / HTTP/1.1\r\n', '\xff'),
    binary(8),
  ),
})
/** What is sent over one connection. */
export const attack = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 3 }),
  damages: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(damage, { maxLength: 3 }) },
  ),
  cuts: fc.array(fc.nat(), { maxLength: 3 }),
})
export type Attack = typeof attack extends fc.Arbitrary<infer Each> ? Each : never

/** The bytes, in the pieces in which they are sent. */
export function partsOf({ requests, damages, cuts }: Attack, token: string): Buffer[] {
  let text = requests.join('')
  for (const { at, removed, inserted } of damages) {
    const place = at % (text.length + 1)
    text = text.slice(0, place) + inserted + text.slice(place + removed)
  }
  const wire = Buffer.from(text.replaceAll(TOKEN, token), 'latin1')
  const places = [0, ...cuts.map(cut => cut % (wire.length + 1)).toSorted((a, b) => a - b), wire.length]
  return places.slice(1).map((end, index) => wire.subarray(places[index], end))
}
