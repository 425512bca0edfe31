/** A client that has sent its whole request and then ends its sending side (FIN) gets its answer. */
import { describe, expect, test } from 'bun:test'
import { exists, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { head, openRaw } from '../support/raw.ts'
import { type Service, startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()

/** The answers to what was sent; afterwards the service must close the connection too. */
async function answersTo(service: Service, sent: (string | Uint8Array)[], count = 1): Promise<Response[]> {
  using connection = await openRaw(service.port)
  for (const part of sent) await connection.write(part)
  connection.endSending()
  const answers: Response[] = []
  while (answers.length < count) answers.push(await connection.answer({ deadlineMs: 30_000 }))
  expect(await connection.rest()).toBe('')
  return answers
}

const uploadOf = (token: string, path: string, content: Uint8Array) => [
  head('POST /api/upload', {
    Authorization: `Bearer ${token}`,
    'X-Path': path,
    'Content-Length': content.length,
  }),
  content,
]

async function expectAnswered(service: Service, token: string): Promise<void> {
  for (let at = 0; at < 20; at++) {
    const [answer] = await answersTo(
      service,
      uploadOf(token, `half/${at}.bin`, randomBytes(at, 5000 * (at + 1))),
    )
    expect([answer!.status, await exists(service, token, `half/${at}.bin`)]).toEqual([200, true])
  }
}

test('20 uploads of 20 are answered', async () => {
  await expectAnswered(on.service, on.token)
})

test('with two workers as well', async () => {
  await using service = await startService({ ownProcess: true, env: { WORKERS: '2' } })
  await expectAnswered(service, await service.createToken())
})

test('an upload in chunks, JSON, a file, an error and pages are answered', async () => {
  await store(on.service, on.token, 'half/a.txt', 'some text')
  const chunked = {
    Authorization: `Bearer ${on.token}`,
    'X-Path': 'half/chunked.txt',
    'Transfer-Encoding': 'chunked',
  }
  const login = JSON.stringify({ benutzer: 'nobody', passwort: 'wrong password' })
  const statusOf = async (...sent: string[]) => (await answersTo(on.service, sent))[0]!.status
  expect(await statusOf(head('POST /api/upload', chunked), '5\r\nhello\r\n', '0\r\n\r\n')).toBe(200)
  expect(await statusOf(head('POST /api/dash/login', { 'Content-Length': login.length }), login)).toBe(401)
  expect(await statusOf(head('GET /health'))).toBe(200)
  expect(await statusOf('GET /health HTTP/1.0\r\n\r\n')).toBe(200)
  expect(await statusOf(head('GET /f/half/absent.txt'))).toBe(404)
  const [file] = await answersTo(on.service, [head('GET /f/half/a.txt')])
  expect(await file!.text()).toBe('some text')
})

test('a large file comes whole', async () => {
  const content = randomBytes(7, 20_000_000)
  await store(on.service, on.token, 'half/large.bin', content)
  const [answer] = await answersTo(on.service, [head('GET /f/half/large.bin')])
  expect(Buffer.from(await answer!.bytes()).equals(content)).toBe(true)
})

test('requests that follow each other in one packet are all answered', async () => {
  const upload = uploadOf(on.token, 'half/piped.bin', randomBytes(1, 3000))
  const requests = [head('GET /health'), ...upload, head('GET /api/nowhere'), ...upload, head('GET /health')]
  const together = Buffer.concat(requests.map(part => Buffer.from(part)))
  const answers = await answersTo(on.service, [together], 5)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200])
})

describe('in the middle of a request the client is taken for gone', () => {
  test.each([
    ['by its length', { 'Content-Length': 1000 }, 'half of it'],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, '5\r\nhello\r\n'],
  ])('a body %s', async (_, headers, body) => {
    const all = { Authorization: `Bearer ${on.token}`, 'X-Path': 'half/cut.bin', ...headers }
    await leavesNothing(on.service.dataDir, () =>
      answersTo(on.service, [head('POST /api/upload', all), body], 0),
    )
    expect(await exists(on.service, on.token, 'half/cut.bin')).toBe(false)
  })

  test('a head behind a whole request', async () => {
    const [answer] = await answersTo(on.service, [`${head('GET /health')}GET /health HTTP/1.1\r\nHost`])
    expect(answer!.status).toBe(200)
  })
})
