/** Size limits: MAX_UPLOAD_MB, the token's largest file, the token's quota. The sentence names the limit. */
import { describe, expect, test } from 'bun:test'
import {
  type Body,
  bytesOf,
  exists,
  expectError,
  expectSameBytes,
  type HeaderMap,
  read,
  remove,
  store,
  upload,
} from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { leavesNothing } from '../support/data-folder.ts'
import { fileForm } from '../support/multipart.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

/** Half a megabyte of 1024 × 1024 bytes: decimals are allowed. */
const on = sharedService({ env: { MAX_UPLOAD_MB: '0.5' } })
const LIMIT = 524_288

const FORMS: [string, (bytes: Uint8Array<ArrayBuffer>) => Body, HeaderMap][] = [
  ['raw', bytes => bytes, {}],
  ['chunked', bytes => new Blob([bytes]).stream(), {}],
  ['multipart', bytes => fileForm(bytes), {}],
  ['Base64', bytes => Buffer.from(bytes).toString('base64'), { 'X-Encoding': 'base64' }],
]

describe.each(FORMS)('MAX_UPLOAD_MB, %s', (form, body, headers) => {
  test('a file of exactly the limit passes', async () => {
    const bytes = randomBytes(1, LIMIT)
    const answer = await store(on.service, on.token, `at/${form}.bin`, body(bytes), headers)
    expect(answer.size).toBe(LIMIT)
    expectSameBytes(await bytesOf(await read(on.service, `at/${form}.bin`)), bytes)
  })

  test('one byte more is refused with 413, nothing is left', async () => {
    await leavesNothing(on.service.dataDir, async () => {
      const given = { 'X-Path': `over/${form}.bin`, ...headers }
      const response = await upload(on.service, on.token, body(randomBytes(2, LIMIT + 1)), given)
      await expectError(response, 413, /512 KB|0,5 MB/)
    })
    expect(await exists(on.service, on.token, `over/${form}.bin`)).toBe(false)
  })

  test('a refused upload leaves the file that was there', async () => {
    await store(on.service, on.token, `kept/${form}.bin`, 'kept')
    const given = { 'X-Path': `kept/${form}.bin`, ...headers }
    const response = await upload(on.service, on.token, body(randomBytes(2, LIMIT + 1)), given)
    await expectError(response, 413)
    expect(await (await read(on.service, `kept/${form}.bin`)).text()).toBe('kept')
  })
})

describe('refused early', () => {
  const announced = (token: string, length: number) =>
    head('POST /api/upload', {
      Authorization: `Bearer ${token}`,
      'X-Path': 'early.bin',
      'Content-Length': length,
    })

  test.each([LIMIT + 1, 10 * LIMIT, 5_000_000_000])('announced %i bytes, none of them sent', async length => {
    using connection = await openRaw(on.service.port)
    await leavesNothing(on.service.dataDir, async () => {
      await connection.write(announced(on.token, length))
      await expectError(await connection.answer(), 413)
    })
  })

  test("above the token's largest file, none of it sent", async () => {
    using connection = await openRaw(on.service.port)
    await connection.write(announced(await on.service.createToken('--max-file', '1000'), 1001))
    await expectError(await connection.answer(), 413, /Token/)
  })

  test('the twin: announced at the limit, the body is awaited', async () => {
    using connection = await openRaw(on.service.port)
    await connection.write(announced(on.token, LIMIT))
    await expect(connection.answer({ deadlineMs: 300 })).rejects.toThrow('time is up')
  })
})

describe('refused in mid-stream', () => {
  test('chunked without end: the answer comes while the client is still sending', async () => {
    using connection = await openRaw(on.service.port)
    const headers = {
      Authorization: `Bearer ${on.token}`,
      'X-Path': 'endless.bin',
      'Transfer-Encoding': 'chunked',
    }
    await leavesNothing(on.service.dataDir, async () => {
      await connection.write(head('POST /api/upload', headers))
      const chunk = randomBytes(3, 0x10000)
      let sent = 0
      // Only the head: the answer ends when the request does.
      const answer = connection.answer({ deadlineMs: 10_000, head: true })
      let answered = false
      answer.then(() => {
        answered = true
      })
      // Never sends the last chunk: a service that waits for the end would wait for ever.
      while (!answered && !connection.closed && sent < 100 * LIMIT) {
        await connection.write('10000\r\n')
        await connection.write(chunk)
        await connection.write('\r\n')
        sent += chunk.length
        // No faster than the service can answer.
        await Bun.sleep(1)
      }
      expect((await answer).status).toBe(413)
      expect(sent).toBeLessThan(20 * LIMIT)
    })
  })
})

describe("the token's largest file", () => {
  test.each(FORMS)(
    'exactly at it passes, one more is 413 and the sentence names the token: %s',
    async (...form) => {
      const [name, body, headers] = form
      const token = await on.service.createToken('--max-file', '1000')
      await store(on.service, token, `token/${name}.bin`, body(randomBytes(4, 1000)), headers)
      await leavesNothing(on.service.dataDir, async () => {
        const given = { 'X-Path': `token/${name}-2.bin`, ...headers }
        await expectError(
          await upload(on.service, token, body(randomBytes(4, 1001)), given),
          413,
          /1000.*Token/,
        )
      })
    },
  )
})

describe('quota', () => {
  test('overwriting counts the difference', async () => {
    const token = await on.service.createToken('--quota', '1000')
    await store(on.service, token, 'quota/diff.bin', randomBytes(7, 900))
    await store(on.service, token, 'quota/diff.bin', randomBytes(8, 1000))
    const response = await upload(on.service, token, randomBytes(9, 1001), { 'X-Path': 'quota/diff.bin' })
    await expectError(response, 413)
    expectSameBytes(await bytesOf(await read(on.service, 'quota/diff.bin')), randomBytes(8, 1000))
  })

  test('deleting gives it back', async () => {
    const token = await on.service.createToken('--quota', '1000', '--may-delete')
    await store(on.service, token, 'quota/gone.bin', randomBytes(1, 1000))
    await expectError(await upload(on.service, token, 'x', { 'X-Path': 'quota/next.bin' }), 413)
    expect((await remove(on.service, token, 'quota/gone.bin')).status).toBe(200)
    await store(on.service, token, 'quota/next.bin', randomBytes(2, 1000))
  })

  test('a file belongs to the token that stored it last: overwritten by another, it frees the first', async () => {
    const first = await on.service.createToken('--quota', '1000')
    await store(on.service, first, 'quota/handed.bin', randomBytes(3, 1000))
    await store(on.service, on.token, 'quota/handed.bin', randomBytes(4, 10))
    await store(on.service, first, 'quota/mine.bin', randomBytes(5, 1000))
  })

  test('overwriting a file of another token makes no room for it: all of it counts', async () => {
    const token = await on.service.createToken('--quota', '1000')
    await store(on.service, on.token, 'quota/theirs.bin', randomBytes(3, 900))
    await store(on.service, token, 'quota/own.bin', randomBytes(4, 600))
    const order = { 'X-Path': 'quota/theirs.bin' }
    const sentence = await expectError(await upload(on.service, token, randomBytes(5, 401), order), 413)
    for (const number of [600, 1000, 401]) expect(sentence).toContain(String(number))
    expectSameBytes(await bytesOf(await read(on.service, 'quota/theirs.bin')), randomBytes(3, 900))
    await store(on.service, token, 'quota/theirs.bin', randomBytes(5, 400))
  })
})
