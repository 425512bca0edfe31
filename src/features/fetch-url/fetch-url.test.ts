import { describe, expect, test } from 'bun:test'
import { sha256 } from '../../base/hash/sha256.ts'
import { findByPath } from '../media/media.store.ts'
import { PNG, UPLOAD_LIMIT_BYTES, useFetchingService } from './testing/fetching-service.ts'
import { answer, type Reply, redirect } from './testing/internet.ts'

const service = await useFetchingService()

describe('what is stored', () => {
  test('the bytes, under the name of the address, by the person who asked', async () => {
    expect(
      await service.fetchFile(answer(PNG, 'Content-Type: image/png\r\n'), { folder: 'geholt' }),
    ).toMatchObject({
      path: 'bild.png',
      size: PNG.length,
      mime: 'image/png',
      replaced: false,
    })
    const row = await findByPath(service.database.read, 'geholt/bild.png')
    expect(Buffer.from(await (await service.storage.open(row!.object))!.bytes()).equals(PNG)).toBe(true)
    expect(row!.token_id).toBeNull()
    const entry = await service.database.read
      .selectFrom('history')
      .selectAll()
      .orderBy('nr', 'desc')
      .executeTakeFirst()
    expect(entry).toMatchObject({ what: 'hochgeladen', path: 'geholt/bild.png', who: 'anna' })
  })

  test('a picture without its place and camera, where the setting wants that', async () => {
    // A comment, then the beginning of the picture data and the end.
    const parts = ['\xff\xd8', '\xff\xfe\0\x0eKoblenz, Eck', '\xff\xda\0\x02data', '\xff\xd9']
    const [start, , data, end] = parts
    const wanted = Buffer.from(`${start}${data}${end}`, 'latin1')
    const stored = await service.fetchFile(answer(Buffer.from(parts.join(''), 'latin1')), {
      folder: 'ohne-ort',
    })
    const row = await findByPath(service.database.read, 'ohne-ort/bild.png')
    const bytes = Buffer.from(await (await service.storage.open(row!.object))!.bytes())
    expect(bytes.equals(wanted)).toBe(true)
    expect(stored).toMatchObject({ size: wanted.length, sha256: sha256(wanted) })
  })

  test('a name that is given counts, in lower case, and is not added to', async () => {
    expect(await service.fetchFile(answer(PNG), { name: 'Logo.PNG' })).toMatchObject({ path: 'logo.png' })
    expect(await service.fetchFile(answer(PNG), { name: 'logo' })).toMatchObject({
      path: 'logo',
      mime: 'image/png',
    })
    expect(
      await service.fetchFile(answer('x', 'Content-Type: text/css; charset=x\r\n'), { name: 'ohne' }),
    ).toMatchObject({
      mime: 'text/css',
    })
    expect(await service.fetchFile(answer('x'), { name: 'ohne' })).toMatchObject({
      mime: 'application/octet-stream',
    })
  })

  test('otherwise that of the place where it was found', async () => {
    service.internet.pages.set('bilder.example/gefunden.png', answer(PNG))
    expect(await service.fetchFile(redirect('/gefunden.png'), {}, '/kurz')).toMatchObject({
      path: 'gefunden.png',
    })
  })

  test('the extension decides about the type, as everywhere', async () => {
    expect(await service.fetchFile(answer('x', 'Content-Type: text/html\r\n'))).toMatchObject({
      mime: 'image/png',
    })
  })

  test.each(['.versteckt', '../x.png', 'a b.png', 'ä.png', 'x\\y.png', `${'x'.repeat(250)}.png`])(
    'a name that is given and does not fit (%p) is rejected before anybody is asked',
    async name => {
      expect(await service.fetchFile(answer(PNG), { name })).toBe('400 path-invalid')
      expect(service.internet.requests).toEqual([])
    },
  )
})

describe('a target that is taken', () => {
  test('is refused; by the name that was given nobody is even asked', async () => {
    await service.fetchFile(answer(PNG), { folder: 'voll', name: 'bild.png' })
    const order = {
      ...{ url: 'http://bilder.example/bild.png', folder: 'voll' },
      ...{ digests: [], actor: { account: 'anna' } },
    }
    service.internet.requests.length = 0
    for (const [name, requests] of [
      ['BILD.png', 0],
      [null, 1],
    ] as const) {
      const error = await service.store({ ...order, name }).catch(each => each)
      expect(error).toMatchObject({ status: 409, code: 'path-taken' })
      expect(service.internet.requests.length).toBe(requests)
    }
    expect(await service.countRowsBelow('voll')).toBe(1)
  })
})

test('a digest that the caller announces is compared with the fetched bytes, before anything is taken out of them', async () => {
  const digest = (bytes: string | Uint8Array) => [{ header: 'X-Sha256', sha256: sha256(Buffer.from(bytes)) }]
  expect(await service.fetchFile(answer(PNG), { digests: digest(PNG) })).toMatchObject({ path: 'bild.png' })
  expect(await service.fetchFile(answer(PNG), { digests: digest('other') })).toBe('400 digest-differs')
})

describe('size', () => {
  const chunked = (length: number) =>
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${'x'.repeat(length)}\r\n0\r\n\r\n`

  test.each([
    ['announced', (length: number) => answer('x'.repeat(length))],
    ['in chunks', chunked],
    ['until the end', (length: number) => `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(length)}`],
  ])('%s: MAX_UPLOAD_MB exactly, and one byte more', async (_, reply) => {
    expect(await service.fetchFile(reply(UPLOAD_LIMIT_BYTES))).toMatchObject({ size: UPLOAD_LIMIT_BYTES })
    expect(await service.fetchFile(reply(UPLOAD_LIMIT_BYTES + 1))).toBe('413 upload-too-large')
  })

  test('what announces itself as too large is not waited for', async () => {
    const reply: Reply = socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n')
    expect(await service.fetchFile(reply)).toBe('413 upload-too-large')
  })

  test('an endless answer is ended', async () => {
    const closed = Promise.withResolvers<void>()
    const reply: Reply = socket => {
      const timer = setInterval(() => socket.write('x'.repeat(500)), 5)
      socket.on('close', () => {
        clearInterval(timer)
        closed.resolve()
      })
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
    }
    expect(await service.fetchFile(reply)).toBe('413 upload-too-large')
    await closed.promise
  })

  test('nothing at all', async () => {
    expect(await service.fetchFile(answer(''))).toBe('502 source-empty')
    expect(await service.fetchFile('HTTP/1.1 200 OK\r\n\r\n')).toBe('502 source-empty')
  })
})

describe('a source that fails stores nothing', () => {
  test.each([
    ['cut off', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', '502 source-cut'],
    [
      'cut off in chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
      '502 source-cut',
    ],
    ['status', answer('no', '', '404 Not Found'), '502 source-status'],
    ['no HTTP', 'SSH-2.0-x\r\n', '502 source-malformed'],
    ['packed', answer('x', 'Content-Encoding: gzip\r\n'), '502 source-encoded'],
    ['into the own network', redirect('http://127.0.0.1/'), '400 fetch-network'],
  ])('%s', async (_, reply, expected) => expect(await service.fetchFile(reply)).toBe(expected))

  test('stalls', async () => {
    service.internet.network.limits.stall = 100
    const reply: Reply = socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
    expect(await service.fetchFile(reply)).toBe('504 source-too-slow')
  })

  test('takes longer than all of it may', async () => {
    service.internet.network.limits.total = 150
    const reply: Reply = socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n')
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 20)
    }
    expect(await service.fetchFile(reply)).toBe('504 source-too-slow')
  })
})
