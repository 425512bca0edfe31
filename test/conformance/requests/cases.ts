/**
 * Requests in every form that RFC 9112 allows, forbids or leaves open, and what our server does with each.
 *
 * `ours` is what the handler sees, or the status of the refusal. After it, `close` marks an accepted request
 * after which the connection ends, and `open` a refused one after which it continues. `waits`: the server
 * expects more bytes. Several answers are separated by `|`. Where another server decides otherwise, `why`
 * gives the reason for ours (docs/http.md).
 */
export interface RequestCase {
  name: string
  /** The bytes, in Latin-1. */
  wire: string
  ours: string
  why?: string
}

export interface Section {
  title: string
  /** For the cases of the section that do not give a reason themselves. */
  why?: string
  cases: readonly RequestCase[]
}

const HOST = 'Host: x'
const linesOf = (...lines: string[]) => lines.map(line => `${line}\r\n`).join('')
/** A complete request without a body. */
const get = (target: string, ...fields: string[]) => linesOf(`GET ${target} HTTP/1.1`, HOST, ...fields, '')
/** A request with this request line. */
const line = (first: string) => linesOf(first, HOST, '')
/** A request with these fields instead of `Host`. */
const only = (...fields: string[]) => linesOf('GET / HTTP/1.1', ...fields, '')
const post = (fields: string[], body: string) => linesOf('POST / HTTP/1.1', HOST, ...fields, '') + body
const chunked = (body: string) => post(['Transfer-Encoding: chunked'], body)
const HELLO = '5\r\nhello\r\n0\r\n\r\n'

const row = (name: string, wire: string, ours: string, why?: string): RequestCase => ({
  ...{ name, wire, ours },
  ...(why !== undefined && { why }),
})

const GUESS =
  'a second reading of the same bytes is how requests are smuggled, and well-behaved clients do not send them.'
const TARGET = 'routes see a path as a URL writes it, so that no rule meets two spellings of one address.'

// biome-ignore format: one case per line reads as a table
export const SECTIONS: readonly Section[] = [
  {
    title: 'Request line (RFC 9112 sections 2 and 3)',
    why: GUESS,
    cases: [
      row('plain', get('/'), 'GET /'),
      row('path and query', get('/a/b?c=d&e'), 'GET /a/b?c=d&e'),
      row('method in small letters', line('get / HTTP/1.1'), 'get /', 'Methods are case-sensitive tokens: this is one that no route knows, and the service answers 501 itself.'),
      row('unknown method', line('BREW / HTTP/1.1'), 'BREW /', 'The service answers unknown methods itself (501), with a sentence.'),
      row('method that is no token', line('G(T / HTTP/1.1'), '400'),
      row('tab behind the method', line('GET\t/ HTTP/1.1'), '400'),
      row('two spaces behind the method', line('GET  / HTTP/1.1'), '400'),
      row('two spaces before the version', line('GET /  HTTP/1.1'), '400'),
      row('space behind the version', line('GET / HTTP/1.1 '), '400'),
      row('space before the method', line(' GET / HTTP/1.1'), '400'),
      row('space in the target', line('GET /a b HTTP/1.1'), '400'),
      row('no version', line('GET /'), '400'),
      row('no target', line('GET HTTP/1.1'), '400'),
      row('version in small letters', line('GET / http/1.1'), '400'),
      row('HTTP/1.0', line('GET / HTTP/1.0'), 'GET / · close'),
      row('HTTP/1.0 without Host', 'GET / HTTP/1.0\r\n\r\n', 'GET / · close', 'Old health checks send it; no address is built from Host.'),
      row('HTTP/1.0 with keep-alive', linesOf('GET / HTTP/1.0', HOST, 'Connection: keep-alive', ''), 'GET / · close', 'Allowed by section 9.3; keeping it costs more code than such clients are worth.'),
      row('HTTP/1.2', line('GET / HTTP/1.2'), '505', 'There is no such version, and we do not guess how it frames its messages.'),
      row('HTTP/1.10', line('GET / HTTP/1.10'), '505'),
      row('HTTP/2.0', line('GET / HTTP/2.0'), '505', 'Another version has another framing.'),
      row('preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '505'),
      row('NUL in the target', line('GET /a\0b HTTP/1.1'), '400'),
      row('DEL in the target', line('GET /a\x7fb HTTP/1.1'), '400'),
      row('CR in the target', line('GET /a\rb HTTP/1.1'), '400'),
      row('LF in the target', line('GET /a\nb HTTP/1.1'), '400'),
      row('LF behind the request line', `GET / HTTP/1.1\n${HOST}\r\n\r\n`, '400'),
      row('empty line before', `\r\n${get('/')}`, 'GET /', 'Section 2.2 asks to ignore it.'),
      row('101 empty lines before', '\r\n'.repeat(101) + get('/'), '400', 'Section 2.2 asks to ignore at least one; we bound what costs nothing to send.'),
      row('LF before', `\n${get('/')}`, '400'),
      row('first bytes of TLS', '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03', '400'),
    ],
  },
  {
    title: 'Target (section 3.2)',
    why: TARGET,
    cases: [
      row('bytes beyond ASCII', get('/\xc3\xbc'), 'GET /%C3%BC'),
      row('escaped NUL', get('/a%00b'), 'GET /a%00b', 'The route judges the path, and answers with a sentence.'),
      row('unusual characters', get('/a|b"c'), 'GET /a|b%22c'),
      row('dot segments', get('/a/../b'), 'GET /b'),
      row('escaped dot segments', get('/a/%2e%2E/b'), 'GET /b'),
      row('dot segments above the root', get('/../../b'), 'GET /b'),
      row('backslash', get('/a\\..\\b'), 'GET /a%5C..%5Cb', 'A URL would make it a slash; a proxy that guards paths would have seen another one.'),
      row('fragment', get('/a#b'), 'GET /a'),
      row('two slashes', get('//a'), 'GET //a'),
      row('absolute form', linesOf('GET http://x/a?b HTTP/1.1', HOST, 'X-Show: host', ''), 'GET /a?b host=x'),
      row('absolute form, another Host', linesOf('GET http://y/a HTTP/1.1', HOST, 'X-Show: host', ''), 'GET /a host=y', 'Section 3.2.2: the host of the target counts.'),
      row('absolute form without a path', get('http://x'), 'GET /'),
      row('absolute form without a host', get('http:///a'), '400'),
      row('another scheme', get('ftp://x/a'), '400', 'We serve http alone.'),
      row('asterisk, OPTIONS', line('OPTIONS * HTTP/1.1'), '400', 'We have nothing to say about the server as a whole.'),
      row('asterisk, GET', get('*'), '400'),
      row('authority form, CONNECT', line('CONNECT x:443 HTTP/1.1'), '400', 'We are no tunnel.'),
      row('no slash', get('a/b'), '400'),
      row('target of 8 000 bytes', get(`/${'a'.repeat(8000)}`), 'GET /a…'),
      row('target of 17 000 bytes', get(`/${'a'.repeat(17_000)}`), '431', 'One limit for the whole head, 16 KB, and one status for it.'),
    ],
  },
  {
    title: 'Header lines (section 5)',
    why: GUESS,
    cases: [
      row('no space behind the colon', get('/', 'X:y'), 'GET / x=y'),
      row('blanks around the value', get('/', 'X: \t y \t '), 'GET / x=y'),
      row('empty value', get('/', 'X:'), 'GET /'),
      row('tab in the value', get('/', 'X: y\tz'), 'GET / x=y\tz'),
      row('bytes beyond ASCII in the value', get('/', 'X: \xe4'), 'GET / x=\xe4'),
      row('underscore in the name', get('/', 'A_B: c'), 'GET /'),
      row('the same name twice', get('/', 'A: y', 'A: z'), 'GET /'),
      row('space before the colon', get('/', 'X : y'), '400'),
      row('tab before the colon', get('/', 'X\t: y'), '400'),
      row('no colon', get('/', 'X'), '400'),
      row('no name', get('/', ': y'), '400'),
      row('space in the name', get('/', 'X Y: z'), '400'),
      row('bracket in the name', get('/', 'X(: y'), '400'),
      row('NUL in the name', get('/', 'X\0: y'), '400'),
      row('bytes beyond ASCII in the name', get('/', 'X\xe4: y'), '400'),
      row('NUL in the value', get('/', 'X: y\0z'), '400'),
      row('CR in the value', get('/', 'X: y\rz'), '400'),
      row('LF in the value', get('/', 'X: y\nZ: z'), '400'),
      row('vertical tab in the value', get('/', 'X: y\x0bz'), '400'),
      row('DEL in the value', get('/', 'X: y\x7fz'), '400'),
      row('folded line, space (obs-fold)', get('/', 'X: y', ' z'), '400'),
      row('folded line, tab (obs-fold)', get('/', 'X: y', '\tz'), '400'),
      row('folded line in first place', linesOf('GET / HTTP/1.1', ' X: y', HOST, ''), '400'),
      row('LF for every line end', 'GET / HTTP/1.1\nHost: x\n\n', '400'),
      row('LF for the last two line ends', 'GET / HTTP/1.1\r\nHost: x\n\n', '400'),
      row('LF for the empty line', 'GET / HTTP/1.1\r\nHost: x\r\n\n', '400'),
      row('CR for a line end', 'GET / HTTP/1.1\r\nHost: x\rX: y\r\n\r\n', '400'),
      row('200 header lines', get('/', ...Array<string>(199).fill('A: b')), 'GET /', 'Bounded, so that a head stays cheap to read.'),
      row('201 header lines', get('/', ...Array<string>(200).fill('A: b')), '431', 'Bounded, so that a head stays cheap to read.'),
      row('value of 17 000 bytes', get('/', `A: ${'a'.repeat(17_000)}`), '431', 'One limit for the whole head, 16 KB, and one status for it.'),
      row('HEAD with such a value', get('/', `A: ${'a'.repeat(17_000)}`).replace('GET', 'HEAD'), '431', 'The same.'),
      row('head without an end', 'GET / HTTP/1.1\r\nHost: x\r\n', 'waits'),
    ],
  },
  {
    title: 'Host (section 3.2)',
    cases: [
      row('none', only('X: y'), '400'),
      row('twice the same', only(HOST, HOST), '400', 'Section 3.2 demands 400.'),
      row('two different', only(HOST, 'Host: y'), '400', 'Section 3.2 demands 400.'),
      row('empty', only('Host:'), 'GET /', 'Section 3.2 knows it, for a target without a host.'),
      row('with a port', only('Host: x:80'), 'GET /'),
      row('IPv6', only('Host: [::1]:80'), 'GET /'),
      ...(
        [
          ['with a space', 'Host: a b'],
          ['with a path', 'Host: a/b'],
          ['with a list', 'Host: a, b'],
          ['with a user', 'Host: u@a'],
        ] as const
      ).map(([name, field]) =>
        row(name, only(field), 'GET /', 'Section 3.2 would have 400. No address is ever built from Host, and a host that matches no setting opens nothing.'),
      ),
    ],
  },
  {
    title: 'Content-Length (section 6.2)',
    why: GUESS,
    cases: [
      row('5', post(['Content-Length: 5'], 'hello'), 'POST / 5 bytes'),
      row('0', post(['Content-Length: 0'], ''), 'POST /'),
      row('none for a POST', post([], ''), 'POST /'),
      row('on a GET', `${get('/', 'Content-Length: 5')}hello`, 'GET / 5 bytes', 'A GET may have a body (RFC 9110 section 9.3.1); nobody reads it.'),
      row('leading zeros', post(['Content-Length: 005'], 'hello'), 'POST / 5 bytes'),
      row('plus sign', post(['Content-Length: +5'], 'hello'), '400'),
      row('negative', post(['Content-Length: -5'], 'hello'), '400'),
      row('hexadecimal', post(['Content-Length: 0x5'], 'hello'), '400'),
      row('a word', post(['Content-Length: five'], 'hello'), '400'),
      row('empty value', post(['Content-Length:'], 'hello'), '400'),
      row('space between digits', post(['Content-Length: 5 5'], 'hello'), '400'),
      row('list of equal values', post(['Content-Length: 5, 5'], 'hello'), '400', 'Section 6.3 allows both.'),
      row('twice the same', post(['Content-Length: 5', 'Content-Length: 5'], 'hello'), '400', 'Section 6.3 allows both.'),
      row('two different', post(['Content-Length: 5', 'Content-Length: 6'], 'hello'), '400'),
      row('beyond 64 bits', post(['Content-Length: 18446744073709551621'], 'hello'), '400'),
      row('shorter than the body', post(['Content-Length: 4'], 'hell\0'), 'POST / 4 bytes | 400', 'The bytes after the body are read as the next request, which is malformed.'),
      row('longer than the body', post(['Content-Length: 6'], 'hello'), 'waits'),
    ],
  },
  {
    title: 'Transfer-Encoding (sections 6.1 and 6.3)',
    why: 'any coding but `chunked` alone is refused, and so is a length beside it: a proxy may have gone by the other one.',
    cases: [
      row('chunked', chunked(HELLO), 'POST / 5 bytes'),
      row('in capitals', post(['Transfer-Encoding: CHUNKED'], HELLO), 'POST / 5 bytes'),
      row('identity', post(['Transfer-Encoding: identity'], HELLO), '400'),
      row('gzip', post(['Transfer-Encoding: gzip'], HELLO), '400'),
      row('gzip, chunked', post(['Transfer-Encoding: gzip, chunked'], HELLO), '400'),
      row('chunked, gzip', post(['Transfer-Encoding: chunked, gzip'], HELLO), '400'),
      row('chunked, chunked', post(['Transfer-Encoding: chunked, chunked'], HELLO), '400'),
      row('chunked on two lines', post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], HELLO), '400'),
      row('xchunked', post(['Transfer-Encoding: xchunked'], HELLO), '400'),
      row('vertical tab before', post(['Transfer-Encoding: \x0bchunked'], HELLO), '400'),
      row('with a parameter', post(['Transfer-Encoding: chunked;a=b'], HELLO), '400'),
      row('in quotes', post(['Transfer-Encoding: "chunked"'], HELLO), '400'),
      row('comma behind', post(['Transfer-Encoding: chunked,'], HELLO), '400'),
      row('empty', post(['Transfer-Encoding:'], HELLO), '400'),
      row('folded', post(['Transfer-Encoding:', ' chunked'], HELLO), '400'),
      row('space before the colon', post(['Transfer-Encoding : chunked'], HELLO), '400'),
      row('with a length behind', post(['Transfer-Encoding: chunked', 'Content-Length: 5'], HELLO), '400'),
      row('with a length before', post(['Content-Length: 5', 'Transfer-Encoding: chunked'], HELLO), '400'),
      row('identity with a length', post(['Transfer-Encoding: identity', 'Content-Length: 5'], 'hello'), '400'),
      row('underscore with a length', post(['Transfer_Encoding: chunked', 'Content-Length: 5'], 'hello'), 'POST / 5 bytes'),
      row('in HTTP/1.0', linesOf('POST / HTTP/1.0', HOST, 'Transfer-Encoding: chunked', '') + HELLO, '400'),
    ],
  },
  {
    title: 'Chunks and trailers (section 7.1)',
    why: GUESS,
    cases: [
      row('capital digits', chunked(`A\r\n0123456789\r\n0\r\n\r\n`), 'POST / 10 bytes'),
      row('leading zeros', chunked('0005\r\nhello\r\n000\r\n\r\n'), 'POST / 5 bytes'),
      row('13 digits', chunked('0000000000005\r\nhello\r\n0\r\n\r\n'), '400', 'More digits than a size that we can count exactly.'),
      row('extension', chunked('5;a=b\r\nhello\r\n0\r\n\r\n'), 'POST / 5 bytes'),
      row('extension in quotes', chunked('5;a="b c"\r\nhello\r\n0\r\n\r\n'), 'POST / 5 bytes', 'Section 7.1.1 allows it.'),
      row('space before an extension', chunked('5 ;a=b\r\nhello\r\n0\r\n\r\n'), 'POST / 5 bytes', 'Section 7.1.1 allows it.'),
      row('CR in an extension', chunked('5;a\rb\r\nhello\r\n0\r\n\r\n'), '400'),
      row('LF in an extension', chunked('5;a\nhello\r\n0\r\n\r\n'), '400'),
      row('NUL in an extension', chunked('5;a\0\r\nhello\r\n0\r\n\r\n'), '400'),
      row('extension of 2 000 bytes', chunked(`5;${'a'.repeat(2000)}\r\nhello\r\n0\r\n\r\n`), '400', 'Nobody reads extensions; section 7.1.1 asks to limit them.'),
      row('space behind the size', chunked('5 \r\nhello\r\n0\r\n\r\n'), '400'),
      row('space before the size', chunked(' 5\r\nhello\r\n0\r\n\r\n'), '400'),
      row('0x before the size', chunked('0x5\r\nhello\r\n0\r\n\r\n'), '400'),
      row('plus sign', chunked('+5\r\nhello\r\n0\r\n\r\n'), '400'),
      row('negative', chunked('-5\r\nhello\r\n0\r\n\r\n'), '400'),
      row('no size', chunked('\r\nhello\r\n0\r\n\r\n'), '400'),
      row('beyond 64 bits', chunked('10000000000000005\r\nhello\r\n0\r\n\r\n'), '400'),
      row('LF behind the size', chunked('5\nhello\r\n0\r\n\r\n'), '400'),
      row('CR behind the size', chunked('5\rhello\r\n0\r\n\r\n'), '400'),
      row('LF behind the data', chunked('5\r\nhello\n0\r\n\r\n'), '400'),
      row('nothing behind the data', chunked('5\r\nhello0\r\n\r\n'), '400'),
      row('data longer than its size', chunked('4\r\nhello\r\n0\r\n\r\n'), '400'),
      row('data shorter than its size', chunked('6\r\nhello\r\n0\r\n\r\n'), '400'),
      row('trailer', chunked('5\r\nhello\r\n0\r\nX: y\r\n\r\n'), 'POST / 5 bytes', 'Section 7.1.2. The runtime’s server takes a trailer for the next request.'),
      row('trailer without a colon', chunked('5\r\nhello\r\n0\r\nX\r\n\r\n'), '400'),
      row('trailer, folded', chunked('5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n'), '400'),
      row('trailer Content-Length', chunked('5\r\nhello\r\n0\r\nContent-Length: 5\r\n\r\n'), '400', 'Section 6.5.1 of RFC 9110 forbids it.'),
      row('trailer Host', chunked('5\r\nhello\r\n0\r\nHost: y\r\n\r\n'), '400', 'Section 6.5.1 of RFC 9110 forbids it.'),
      row('LF behind the last chunk', chunked('5\r\nhello\r\n0\n\n'), '400'),
      row('no empty line at the end', chunked('5\r\nhello\r\n0\r\n'), 'waits', 'The body has no end yet.'),
    ],
  },
  {
    title: 'Connections (section 9) and RFC 9110',
    cases: [
      row('two requests in one packet', get('/a') + get('/b'), 'GET /a | GET /b', 'Section 9.3.2.'),
      row('a body and a request behind it', post(['Content-Length: 5'], 'hello') + get('/b'), 'POST / 5 bytes | GET /b', 'Section 9.3.2.'),
      row('chunks and a request behind them', chunked(HELLO) + get('/b'), 'POST / 5 bytes | GET /b', 'Section 9.3.2.'),
      row('a request, then none', `${get('/')}no request\r\n\r\n`, 'GET / | 400', 'The first request was whole and has its answer.'),
      row('close, and a request behind it', get('/', 'Connection: close') + get('/b'), 'GET / · close', 'Section 9.6: nothing behind it is read.'),
      row('Close in a list', get('/', 'Connection: x, Close'), 'GET / · close'),
      row('Expect: 100-continue', post(['Content-Length: 5', 'Expect: 100-continue'], 'hello'), 'POST / 5 bytes'),
      row('another expectation', post(['Content-Length: 5', 'Expect: x'], 'hello'), 'POST / 5 bytes', 'RFC 9110 section 10.1.1 allows 417; the request is clear without it.'),
      row('upgrade to WebSocket', get('/', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: eA=='), 'GET /'),
      row('upgrade to HTTP/2', get('/', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA'), 'GET /'),
      row('HEAD', get('/').replace('GET', 'HEAD'), 'HEAD'),
    ],
  },
]
