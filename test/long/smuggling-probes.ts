/**
 * Requests that two servers in a row may delimit differently, so that the second one mistakes the end of the
 * first client's body for a request: one of the attacker, or the beginning of the next client's request on
 * the same connection.
 */
export interface Probe {
  name: string
  /** The bytes, in Latin-1. */
  wire: string
}

/**
 * The request that must never be parsed as one: complete, and without its end, so that the next client's
 * request would continue it.
 */
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
const HIDDEN_OPEN = 'GET /hidden HTTP/1.1\r\nX-Rest: '
const HOST = 'Host: localhost'

const headOf = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const post = (fields: readonly string[], body: string, path = '/') =>
  headOf(`POST ${path} HTTP/1.1`, HOST, ...fields) + body
const chunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`
const END = '0\r\n\r\n'
const probe = (name: string, wire: string): Probe => ({ name, wire })

/** Ends as chunks before the hidden request; the length includes it. */
const endingEarly = END + HIDDEN_OPEN
/** A chunk that contains the hidden request; the length ends within its first line. */
const endingLate = chunk(HIDDEN) + END
const shortLength = `Content-Length: ${HIDDEN.length.toString(16).length + 2}`

/** Spellings of `Transfer-Encoding: chunked` that only some servers accept. */
const CODINGS: readonly string[] = [
  'Transfer-Encoding: chunked',
  'transfer-encoding: CHUNKED',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding\t: chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: \x0cchunked',
  'Transfer-Encoding: chunked\x0b',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked;a=b',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: ,chunked',
  'Transfer-Encoding: chunked,',
  'Transfer-Encoding: chunk\0ed',
  'Transfer-Encoding: \xffchunked',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding\r\n : chunked',
  'Transfer-Encoding: x\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\r\r\nTransfer-Encoding: chunked',
  ' Transfer-Encoding: chunked',
  'Transfer_Encoding: chunked',
  'Transfer-Encoding\0: chunked',
  'Transfer Encoding: chunked',
  'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked',
]

/** Spellings of a length; `N` stands for the length of the whole body. */
const LENGTHS: readonly string[] = [
  'Content-Length: 0\r\nContent-Length: N',
  'Content-Length: N\r\nContent-Length: 0',
  'Content-Length: N, 0',
  'Content-Length: 0, N',
  'Content-Length: N, N',
  'Content-Length: +N',
  'Content-Length: 0N',
  'Content-Length: N ',
  'Content-Length : N',
  'Content-Length:\x0bN',
  'Content-Length: N\0',
  'Content-Length: -1\r\nContent-Length: N',
  'Content_Length: N',
  'Content-Length:\r\n N',
  'X: y\nContent-Length: N',
  'X: y\rContent-Length: N',
  'Content-Length: 18446744073709551616',
  'Connection: Content-Length\r\nContent-Length: N',
  'Connection: close, Content-Length\r\nContent-Length: N',
]

/** Chunked bodies with a disputable end; the coding is unambiguous. */
const CHUNKS: Readonly<Record<string, string>> = {
  'LF behind the size': `5\nhello\r\n${END}${HIDDEN}`,
  'CR behind the size': `5\rhello\r\n${END}${HIDDEN}`,
  'LF in an extension': `5;a\nhello\r\n${END}${HIDDEN}`,
  'LF in an extension, a size behind it': `5;\n${chunk('hello').slice(3)}${END}${HIDDEN}`,
  'CR in an extension': `5;a\rb\r\nhello\r\n${END}${HIDDEN}`,
  'extension in quotes over two lines': `5;a="\r\nhello\r\n${END}"\r\n${HIDDEN}`,
  'extension of 5 000 bytes': `5;${'a'.repeat(5000)}\r\nhello\r\n${END}${HIDDEN}`,
  'two bytes too many': `5\r\nhelloXX${END}${HIDDEN}`,
  'one byte too many': `5\r\nhelloX\r\n${END}${HIDDEN}`,
  'one byte too few': `6\r\nhello\r\n${END}${HIDDEN}`,
  'LF behind the data': `5\r\nhello\n${END}${HIDDEN}`,
  '0x before the size': `0x5\r\nhello\r\n${END}${HIDDEN}`,
  'plus before the size': `+5\r\nhello\r\n${END}${HIDDEN}`,
  'minus before the size': `-5\r\nhello\r\n${END}${HIDDEN}`,
  'space before the size': ` 5\r\nhello\r\n${END}${HIDDEN}`,
  'space behind the size': `5 \r\nhello\r\n${END}${HIDDEN}`,
  'underscore in the size': `0_5\r\nhello\r\n${END}${HIDDEN}`,
  'size beyond 32 bits': `100000005\r\nhello\r\n${END}${HIDDEN}`,
  'size beyond 64 bits': `10000000000000005\r\nhello\r\n${END}${HIDDEN}`,
  'size of 40 zeros': `${'0'.repeat(40)}\r\n\r\n${HIDDEN}`,
  'empty size': `\r\n${END}${HIDDEN}`,
  'LF at the end': `5\r\nhello\r\n0\n\n${HIDDEN}`,
  'LF for the empty line': `5\r\nhello\r\n0\r\n\n${HIDDEN}`,
  'extension at the end': `5\r\nhello\r\n0;a=b\r\n\r\n${HIDDEN}`,
  'trailer Content-Length': `5\r\nhello\r\n0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  'trailer Transfer-Encoding': `5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n${HIDDEN}`,
  'trailer with LF': `5\r\nhello\r\n0\r\nX: y\n\n${HIDDEN}`,
  'trailer without a colon': `5\r\nhello\r\n0\r\nhello\r\n\r\n${HIDDEN}`,
  'trailer, folded': `5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n${HIDDEN}`,
  'trailer that is a request': `5\r\nhello\r\n0\r\n${HIDDEN}`,
  'no end': `5\r\nhello\r\n`,
}

const withLength = (fields: string, body: string) => post([fields.replaceAll('N', String(body.length))], body)

/** Requests with an undisputed length that are answered before their end, or are followed by more bytes. */
const ENDS: readonly Probe[] = [
  probe('two requests', headOf('GET /a HTTP/1.1', HOST) + headOf('GET /b HTTP/1.1', HOST)),
  probe('a length that is too short', post(['Content-Length: 5'], `hello${HIDDEN_OPEN}`)),
  probe('a length that is too long', post(['Content-Length: 1000'], `hello${HIDDEN}`)),
  probe('a GET with a body', headOf('GET / HTTP/1.1', HOST, `Content-Length: ${HIDDEN.length}`) + HIDDEN),
  probe('a GET with chunks', headOf('GET / HTTP/1.1', HOST, 'Transfer-Encoding: chunked') + endingLate),
  probe('a HEAD with a body', headOf('HEAD / HTTP/1.1', HOST, `Content-Length: ${HIDDEN.length}`) + HIDDEN),
  probe('a HEAD, and another request', headOf('HEAD / HTTP/1.1', HOST) + headOf('GET /b HTTP/1.1', HOST)),
  probe('close, and more', headOf('GET / HTTP/1.1', HOST, 'Connection: close') + HIDDEN),
  probe('HTTP/1.0 with keep-alive', headOf('GET / HTTP/1.0', HOST, 'Connection: keep-alive') + HIDDEN_OPEN),
  probe('HTTP/1.0 in chunks', headOf('POST / HTTP/1.0', HOST, 'Transfer-Encoding: chunked') + endingEarly),
  probe('HTTP/0.9', `GET /\r\n${HIDDEN}`),
  probe('LF for line ends', `POST / HTTP/1.1\n${HOST}\nContent-Length: ${HIDDEN.length}\n\n${HIDDEN}`),
  probe('LF for the empty line', `GET / HTTP/1.1\r\n${HOST}\r\n\n${HIDDEN}`),
  probe('CR before the empty line', `GET / HTTP/1.1\r\n${HOST}\r\n\r\r\n${HIDDEN}`),
  probe('a request in a value', headOf('GET / HTTP/1.1', `${HOST}\rX: y\r\r${HIDDEN_OPEN}`)),
  probe('a request in the target', headOf('GET / HTTP/1.1\nHost: x\n\nGET /hidden HTTP/1.1', HOST)),
  probe('an absolute target', headOf('GET http://other/ HTTP/1.1', HOST)),
  probe(
    'an upgrade to WebSocket',
    headOf(
      'GET / HTTP/1.1',
      HOST,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: eA==',
    ) + HIDDEN,
  ),
  probe(
    'an upgrade to HTTP/2',
    headOf(
      'GET / HTTP/1.1',
      HOST,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ) + HIDDEN,
  ),
  probe('an early answer, the body behind it', post([`Content-Length: ${HIDDEN.length}`], HIDDEN, '/early')),
  probe('an early answer, half a body', post([`Content-Length: ${HIDDEN.length + 9}`], HIDDEN, '/early')),
  probe('an early answer, no body', post([`Content-Length: ${HIDDEN.length}`], '', '/early')),
  probe('an early answer, chunks', post(['Transfer-Encoding: chunked'], endingLate, '/early')),
  probe('an early answer, half the chunks', post(['Transfer-Encoding: chunked'], chunk(HIDDEN), '/early')),
  probe(
    'an early answer, broken chunks',
    post(['Transfer-Encoding: chunked'], `5\r\nhello${HIDDEN}`, '/early'),
  ),
  probe(
    'an early answer to a GET with a body',
    headOf('GET /early HTTP/1.1', HOST, `Content-Length: ${HIDDEN.length}`) + HIDDEN,
  ),
  ...['/', '/early'].flatMap(path =>
    ['100-continue', '100-Continue, x', 'x', 'x 100-continue'].flatMap(value => [
      probe(
        `Expect: ${value} for ${path}, with its body`,
        post([`Content-Length: ${HIDDEN.length}`, `Expect: ${value}`], HIDDEN, path),
      ),
      probe(
        `Expect: ${value} for ${path}, without`,
        post([`Content-Length: ${HIDDEN.length}`, `Expect: ${value}`], '', path),
      ),
    ]),
  ),
]

export const PROBES: readonly Probe[] = [
  ...CODINGS.flatMap(coding => [
    probe(`CL.TE, ${coding}`, post([`Content-Length: ${endingEarly.length}`, coding], endingEarly)),
    probe(`TE.CL, ${coding}`, post([coding, shortLength], endingLate)),
  ]),
  ...LENGTHS.flatMap(length => [
    probe(`POST, ${length}`, withLength(length, HIDDEN)),
    probe(
      `chunks, ${length}`,
      post(['Transfer-Encoding: chunked', length.replaceAll('N', String(endingLate.length))], endingLate),
    ),
  ]),
  ...Object.entries(CHUNKS).map(([name, body]) =>
    probe(`chunks, ${name}`, post(['Transfer-Encoding: chunked'], body)),
  ),
  ...ENDS,
]
