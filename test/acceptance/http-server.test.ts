/** The fallbacks for an operator who cannot trust the built-in HTTP server or `sendfile`. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { bytesOf, expectSameBytes, read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { sendRaw } from '../support/raw.ts'
import { startService } from '../support/service.ts'
import { windowsRun } from '../support/windows.ts'

setDefaultTimeout(180_000)

const PIECES = 'files are read and written in pieces, because the kernel is not to send them'
const bytes = randomBytes(7, 3_000_000)

describe.skipIf(process.platform !== 'linux' || windowsRun() !== undefined)('sendfile', () => {
  test('with SENDFILE=0 files are read and written in pieces, and the log says so once', async () => {
    await using service = await startService({ env: { SENDFILE: '0' }, mode: 'embedded' })
    const token = await service.createToken()
    await store(service, token, 'a/large.bin', bytes)
    for (const _ of [1, 2]) expectSameBytes(await bytesOf(await read(service, 'a/large.bin')), bytes)
    const said = service.logs().filter(({ message }) => message === PIECES)
    expect(said).toEqual([expect.objectContaining({ level: 'warn', reason: 'SENDFILE=0' })])
  })

  test('is used otherwise, and the log says nothing', async () => {
    await using service = await startService({ mode: 'embedded' })
    expect(service.logs().some(({ message }) => message === PIECES)).toBe(false)
  })
})

describe('the server of the runtime', () => {
  test('with HTTP_SERVER=bun files go in and out, whole and in part', async () => {
    await using service = await startService({ env: { HTTP_SERVER: 'bun' }, mode: 'embedded' })
    const token = await service.createToken()
    await store(service, token, 'a/large.bin', bytes)
    await store(service, token, 'a/small.txt', 'small')
    for (const _ of [1, 2]) {
      expectSameBytes(await bytesOf(await read(service, 'a/large.bin')), bytes)
      expect(await (await read(service, 'a/small.txt')).text()).toBe('small')
      const part = await read(service, 'a/large.bin', { Range: 'bytes=10-99999' })
      expect([part.status, part.headers.get('Content-Range')]).toEqual([206, 'bytes 10-99999/3000000'])
      expectSameBytes(await bytesOf(part), bytes.subarray(10, 100_000))
    }
    const malformed = await sendRaw(service.port, 'GET / HTTP/1.1\r\nHost : x\r\n\r\n')
    // Our own server would answer with its own sentence.
    expect([malformed.status, await malformed.text()]).toEqual([400, ''])
    expect(await service.stop()).toBe(0)
  })
})
