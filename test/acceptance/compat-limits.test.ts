/** A token's restrictions apply to the compatibility routes too, and a large file is never held in memory. */

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { bytesOf, expectError, expectSameBytes, read } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { BASE64_ROUTE, expectStored, file, freshPng, post, postBase64, put } from '../support/compat.ts'
import { leftToLong } from '../support/left-out.ts'
import { media } from '../support/media.ts'
import { BOUNDARY, MULTIPART, multipart } from '../support/multipart.ts'
import { png, sizeOf } from '../support/pictures.ts'
import { startService } from '../support/service.ts'
import { sharedServiceWithAdmin, type TokenLimits } from '../support/token-admin.ts'
import { storesNothing } from '../support/usage.ts'

const on = sharedServiceWithAdmin({ ownProcess: true })
const tokenWith = async (limits: TokenLimits) => (await on.admin.create(limits)).token
const ROUTES = ['/api/image', '/api/v2/image', '/api/v3/file', BASE64_ROUTE]
const MEGABYTE = 1024 * 1024

function send(route: string, token: string, bytes: Uint8Array): Promise<Response> {
  if (route !== BASE64_ROUTE) return post(on.service, route, token, [file('image', bytes)])
  return postBase64(on.service, token, { base64: Buffer.from(bytes).toString('base64') })
}

describe.each(ROUTES)('%s', route => {
  test('kinds: 403 for what is not allowed, 200 for what is', async () => {
    const bytes = await freshPng()
    const videos = await tokenWith({ arten: ['video', 'audio'] })
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await send(route, videos, bytes), 403, /„bilder“.*video, audio/)
    })
    await expectStored(await send(route, await tokenWith({ arten: ['bilder'] }), bytes), route)
  })

  test('largest file: one byte more is 413 and the sentence names the token, exactly at it 200', async () => {
    const bytes = await freshPng()
    const narrow = await tokenWith({ max_datei: bytes.length - 1 })
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await send(route, narrow, bytes), 413, /Token/)
    })
    await expectStored(await send(route, await tokenWith({ max_datei: bytes.length }), bytes), route)
  })

  test('quota: 413 with held, allowed and needed; deleting is not needed for what fits', async () => {
    const [first, second] = [await freshPng(), await freshPng()]
    const quota = first.length + second.length - 1
    const token = await tokenWith({ kontingent: quota })
    await expectStored(await send(route, token, first), route)
    await storesNothing(on.service.dataDir, async () => {
      const sentence = await expectError(await send(route, token, second), 413, /Kontingent/)
      const numbers = sentence.replaceAll('.', '').match(/\d+(,\d+)? (Byte|KB)/g)
      expect(numbers).toHaveLength(3)
    })
    // Equal content adds no bytes, so the quota does not matter.
    await expectStored(await send(route, token, first), route)
    const wide = await tokenWith({ kontingent: quota + 1 })
    for (const bytes of [first, second]) await expectStored(await send(route, wide, bytes), route)
  })

  test('valid until: 401 with the date, before it 200', async () => {
    const bytes = await freshPng()
    const expired = await tokenWith({ gueltig_bis: Date.parse('2020-06-15T12:00') })
    await storesNothing(on.service.dataDir, async () => {
      await expectError(await send(route, expired, bytes), 401, /15\. ?(0?6\. ?|Juni )2020/)
    })
    await expectStored(
      await send(route, await tokenWith({ gueltig_bis: Date.parse('2099-01-01') }), bytes),
      route,
    )
  })

  test('largest edge: scaled down, named by the stored bytes; at the edge untouched', async () => {
    const bytes = await png({ width: 200, height: 100, seed: 77 + ROUTES.indexOf(route) })
    const narrow = await tokenWith({ max_kante: 50, praefix: 'narrow' })
    const { path } = await expectStored(await send(route, narrow, bytes), route)
    const stored = await bytesOf(await read(on.service, path))
    expect(await sizeOf(stored)).toBe('50x25')
    expect(path).toBe(`narrow/${sha256(stored).slice(0, 12)}.png`)
    const wide = await tokenWith({ max_kante: 200, praefix: 'wide' })
    const whole = await expectStored(await send(route, wide, bytes), route)
    expect(whole.path).toBe(`wide/${sha256(bytes).slice(0, 12)}.png`)
    expectSameBytes(await bytesOf(await read(on.service, whole.path)), bytes)
  })
})

test('largest edge leaves video and sound alone', async () => {
  const token = await tokenWith({ max_kante: 10, praefix: 'untouched' })
  for (const [route, name] of [
    ['/api/video', 'clip.mp4'],
    ['/api/audio', 'tone.mp3'],
  ] as const) {
    const { path } = await put(on.service, route, token, [file('file', media(name))])
    expectSameBytes(await bytesOf(await read(on.service, path)), media(name))
  }
})

test('a kind that fits neither route nor token is judged by the route: 415', async () => {
  const token = await tokenWith({ arten: ['bilder'] })
  await expectError(await post(on.service, '/api/image', token, [file('image', media('clip.mp4'))]), 415)
})

test('a prefix closes everything outside it: `path` cannot leave it', async () => {
  const token = await tokenWith({ praefix: 'mine' })
  await storesNothing(on.service.dataDir, async () => {
    const parts = [file('file', await freshPng()), { name: 'path', content: '../other' }]
    await expectError(await post(on.service, '/api/v3/file', token, parts), 400)
  })
})

test('MAX_UPLOAD_MB: 413, and a refused upload does not hold up stopping', async () => {
  const service = await startService({ env: { MAX_UPLOAD_MB: '1' } })
  try {
    const token = await service.createToken()
    await storesNothing(service.dataDir, async () => {
      const bytes = randomBytes(1, 3 * MEGABYTE)
      const refused = [
        await post(service, '/api/v3/file', token, [file('file', bytes)]),
        await postBase64(service, token, { base64: Buffer.from(bytes).toString('base64') }),
      ]
      for (const response of refused) await expectError(response, 413, /1 MB.*MAX_UPLOAD_MB/)
      await expectError(await post(service, '/api/v3/file', 'wrong', [file('file', bytes)]), 401)
    })
    expect(await service.stop()).toBe(0)
    expect(service.logs().some(({ message }) => message === 'requests were cut off')).toBe(false)
  } finally {
    await service[Symbol.asyncDispose]()
  }
})

describe.skipIf(process.platform !== 'linux')('memory', () => {
  const kilobytes = (pid: number, name: 'VmRSS' | 'VmHWM') =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

  /** The form in chunks of 64 KB: the file first, then its name and folder. */
  function large(content: Uint8Array<ArrayBuffer>, filename: string): ReadableStream<Uint8Array> {
    const form = multipart([
      file('file', ''),
      { name: 'filename', content: filename },
      { name: 'path', content: 'big' },
    ])
    const at = Buffer.from(form).indexOf(`\r\n--${BOUNDARY}\r\n`)
    let sent = 0
    return new ReadableStream({
      pull(controller) {
        if (sent === 0) controller.enqueue(form.slice(0, at))
        controller.enqueue(content.slice(sent, sent + 65_536))
        sent += 65_536
        if (sent < content.length) return
        controller.enqueue(form.slice(at))
        controller.close()
      },
    })
  }

  leftToLong(
    'twelve files of 20 MB at once, their fields behind them: it grows by less than 150 MB',
    async () => {
      await put(on.service, '/api/v3/file', on.token, [file('file', await freshPng())])
      const before = kilobytes(on.service.pid, 'VmRSS')
      const content = randomBytes(9, 20 * MEGABYTE)
      const stored = await Promise.all(
        Array.from({ length: 12 }, async (_, n) => {
          const response = await fetch(`${on.service.url}/api/v3/file`, {
            method: 'POST',
            headers: { Authorization: on.token, ...MULTIPART },
            body: large(content, `Large ${n}.bin`),
          })
          return expectStored(response, '/api/v3/file')
        }),
      )
      // The peak, not the usage afterwards. All twelve in memory would be 240 MB.
      const grown = kilobytes(on.service.pid, 'VmHWM') - before
      expect(grown).toBeLessThan(150 * 1024)
      const hash = sha256(content).slice(0, 12)
      expect(stored.map(({ path }) => path)).toEqual(
        stored.map((_, n) => `uploads/big/large-${n}-${hash}.bin`),
      )
      expectSameBytes(await bytesOf(await read(on.service, stored[11]!.path)), content)
    },
  )

  leftToLong(
    'eight Base64 texts of 20 MB in JSON at once: decoded as they come, it grows by less than 100 MB',
    async () => {
      // A service of its own, because the peak would include that of other tests.
      await using service = await startService({ ownProcess: true })
      const token = await service.createToken()
      await put(service, '/api/v3/file', token, [file('file', await freshPng())])
      const before = kilobytes(service.pid, 'VmRSS')
      const content = randomBytes(10, 20 * MEGABYTE)
      const body = `{"base64":"${Buffer.from(content).toString('base64')}"}`
      const stored = await Promise.all(
        Array.from({ length: 8 }, async () =>
          expectStored(await postBase64(service, token, body), BASE64_ROUTE),
        ),
      )
      // Held as text, bytes and JSON they would take more than a gigabyte.
      expect(kilobytes(service.pid, 'VmHWM') - before).toBeLessThan(100 * 1024)
      expectSameBytes(await bytesOf(await read(service, stored[7]!.path)), content)
    },
  )

  leftToLong('the twin: too large as JSON, they are refused in mid-stream', async () => {
    await using service = await startService({ ownProcess: true, env: { MAX_UPLOAD_MB: '1' } })
    const token = await service.createToken()
    const before = kilobytes(service.pid, 'VmRSS')
    const body = `{"base64":"${'A'.repeat(20 * MEGABYTE)}"}`
    const answers = await Promise.all(Array.from({ length: 12 }, () => postBase64(service, token, body)))
    for (const answer of answers) await expectError(answer, 413, /1 MB/)
    expect(kilobytes(service.pid, 'VmHWM') - before).toBeLessThan(150 * 1024)
  })
})
