/** Requests that were damaged at random: each answer is well formed, each error a sentence, and the service goes on. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import fc from 'fast-check'
import { store } from '../support/api.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { memoryOf } from '../support/processes.ts'
import { head } from '../support/raw.ts'
import { startService } from '../support/service.ts'

setDefaultTimeout(300_000)

const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? (isOrdinaryRun ? 400 : 1500))
const MEMORY_MOST = 60 * 1024 * 1024

/** What damaged requests are made of. The token is put in later. */
const TOKEN = 'T'.repeat(40)
const auth = { Authorization: `Bearer ${TOKEN}` }
const chunked = { 'Transfer-Encoding': 'chunked' }
const login = JSON.stringify({ benutzer: 'nobody', passwort: 'a wrong password' })
const REQUESTS = [
  head('GET /health'),
  head('GET /f/fuzz/a.txt', { Range: 'bytes=1-3', 'If-None-Match': '"x"' }),
  'GET /f/fuzz/a.txt HTTP/1.0\r\n\r\n',
  head('OPTIONS /api/upload', { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' }),
  `${head('POST /api/upload', { ...auth, 'X-Path': 'fuzz/b.bin', 'Content-Length': 5 })}hello`,
  `${head('POST /api/upload', { ...auth, 'X-Path': 'fuzz/c.bin', ...chunked })}5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n`,
  `${head('POST /api/dash/login', { 'Content-Length': login.length })}${login}`,
  `${head('POST /api/dash/login', chunked)}${login.length.toString(16)}\r\n${login}\r\n0\r\n\r\n`,
]
const PIECES = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\0',
    ' ',
    '\t',
    ':',
    ';',
    '%',
    '/',
    '..',
    '\x7f',
    '\xff',
    '{',
    '"',
    ',',
  ],
  ...['HTTP/1.1', 'HTTP/2.0', 'GET ', 'POST / HTTP/1.1\r\n', 'Host: x\r\n', 'Content-Length: 3\r\n'],
  ...[
    'Content-Length: -1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip\r\n',
    'X : y\r\n',
    ' folded\r\n',
  ],
  ...[
    'Connection: close\r\n',
    'Expect: 100-continue\r\n',
    '0\r\n\r\n',
    'ffffffffffff\r\n',
    '-1\r\n',
    `1;${'e'.repeat(900)}\r\nx\r\n`,
  ],
  ...['a'.repeat(2000), 'X: y\r\n'.repeat(250), '\r\n'.repeat(150), '__proto__', 'constructor'],
]

const damage = fc.record({
  at: fc.nat(),
  removed: fc.oneof(fc.constant(0), fc.nat({ max: 6 })),
  inserted: fc.oneof(
    fc.constantFrom(...PIECES),
    fc.constant(''),
    fc.string({ unit: 'binary', maxLength: 8 }),
  ),
})
const attack = fc.record({
  requests: fc.array(fc.constantFrom(...REQUESTS), { minLength: 1, maxLength: 3 }),
  damages: fc.array(damage, { minLength: 1, maxLength: 4 }),
  cuts: fc.array(fc.nat(), { maxLength: 3 }),
})

function damaged({
  requests,
  damages,
}: {
  requests: string[]
  damages: { at: number; removed: number; inserted: string }[]
}) {
  let wire = requests.join('')
  for (const { at, removed, inserted } of damages) {
    const place = at % (wire.length + 1)
    wire = wire.slice(0, place) + inserted + wire.slice(place + removed)
  }
  return wire
}

/** All that the service answers until it ends the connection; `reset`: it broke off. */
function exchange(port: number, parts: Buffer[]): Promise<{ bytes: Buffer; reset: boolean }> {
  return new Promise(resolve => {
    const received: Buffer[] = []
    let reset = false
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    socket.on('data', part => received.push(part as Buffer))
    socket.on('end', () => socket.destroy())
    socket.on('error', () => {
      reset = true
    })
    socket.on('close', () => resolve({ bytes: Buffer.concat(received), reset }))
    for (const part of parts) socket.write(part)
    socket.end()
  })
}

/** Takes the answers apart. Throws when something among them is none. */
function answersIn(
  bytes: Buffer,
  reset: boolean,
): { status: number; code: string | undefined; body: Buffer }[] {
  const answers: { status: number; code: string | undefined; body: Buffer }[] = []
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    const text = headEnd < 0 ? '' : bytes.toString('latin1', at, headEnd)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
    const length = /^content-length: (\d+)$/im.exec(text)?.[1]
    if (!status || (length === undefined && status >= 200 && status !== 204 && status !== 304)) {
      if (reset) return answers
      throw new Error(`no answer: ${bytes.toString('latin1', at, at + 300)}`)
    }
    const start = headEnd + 4
    const hasBody = status >= 200 && status !== 204 && status !== 304
    const end = start + (hasBody ? Number(length) : 0)
    if (end > bytes.length && !reset) throw new Error(`an answer is cut off: ${text}`)
    const code = /^x-fehler-code: (.*)$/im.exec(text)?.[1]
    answers.push({ status, code, body: bytes.subarray(start, end) })
    at = end
  }
  return answers
}

test(`${ROUNDS} damaged requests`, async () => {
  await using service = await startService({ ownProcess: true, mode: 'embedded', env: { WORKERS: '1' } })
  const token = await service.createToken()
  await store(service, token, 'fuzz/a.txt', 'some text')
  for (let at = 0; at < 300; at++) await exchange(service.port, [Buffer.from(head('GET /health'))])
  const before = memoryOf(service.pid)
  const seen = new Map<number, number>()
  const property = fc.asyncProperty(attack, async ({ cuts, ...sent }) => {
    const wire = Buffer.from(damaged(sent).replaceAll(TOKEN, token), 'latin1')
    const places = [0, ...cuts.map(cut => cut % (wire.length + 1)).toSorted((a, b) => a - b), wire.length]
    const parts = places.slice(1).map((end, index) => wire.subarray(places[index], end))
    const { bytes, reset } = await exchange(service.port, parts)
    for (const { status, code, body } of answersIn(bytes, reset)) {
      seen.set(status, (seen.get(status) ?? 0) + 1)
      expect(status).not.toBe(500)
      if (status < 400) continue
      expect(code).toMatch(/^[a-z0-9-]+$/)
      if (!reset) expect(JSON.parse(body.toString())).toEqual({ error: expect.stringMatching(/\.$/) })
    }
  })
  await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true })
  expect(memoryOf(service.pid) - before).toBeLessThan(MEMORY_MOST)
  expect(service.logs().filter(({ level }) => level === 'error')).toEqual([])
  // Otherwise what was sent would be too tame, or too broken to reach anything.
  for (const status of [200, 400, 401, 404, ...(isOrdinaryRun ? [] : [431, 505])])
    expect([status, seen.get(status) ?? 0]).not.toEqual([status, 0])
})
