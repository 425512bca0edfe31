/** Which part of a form is the file, whatever its position and the other parts. */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read } from '../support/api.ts'
import { concat, randomBytes, sha256 } from '../support/bytes.ts'
import { expectStored, file, freshPng, OLDER, post, put, VERSION_2 } from '../support/compat.ts'
import { stagedFiles } from '../support/data-folder.ts'
import { type MediaName, media } from '../support/media.ts'
import { BOUNDARY, MULTIPART, multipart, type Part } from '../support/multipart.ts'
import { head, openRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService()

const PART_NAMES = ['file', 'image', 'video', 'audio', 'recording']
const FITTING: Record<string, MediaName[]> = {
  video: ['clip.webm', 'clip.mp4'],
  audio: ['tone.mp3', 'tone.ogg'],
}

/** Two different files that the route accepts. */
async function two(route: string) {
  const names = FITTING[route.split('/').at(-1)!]
  return names
    ? ([media(names[0]!), media(names[1]!)] as const)
    : ([await freshPng(), await freshPng()] as const)
}

async function expectContent(path: string, bytes: Uint8Array): Promise<void> {
  expect(path).toContain(sha256(bytes).slice(0, 12))
  expectSameBytes(await bytesOf(await read(on.service, path)), bytes)
}

describe.each([...OLDER, ...VERSION_2])('%s', route => {
  const own = route.split('/').at(-1)!

  test.each(PART_NAMES)('takes the part name %s', async name => {
    const [bytes] = await two(route)
    await expectContent((await put(on.service, route, on.token, [file(name, bytes)])).path, bytes)
  })

  test.each(['avatar', 'files[]', 'idcard_photo', 'Image', 'image2', ''])(
    'a sole file part is taken whatever its field is called: «%s»',
    async name => {
      const [bytes] = await two(route)
      const parts = [{ name: 'metadata', content: '{}' }, file(name, bytes)]
      await expectContent((await put(on.service, route, on.token, parts)).path, bytes)
    },
  )

  test('the twin: of two under unknown names neither is the file: 400, and the sentence names the right one', async () => {
    const [bytes, other] = await two(route)
    for (const names of [
      ['files[]', 'files[]'],
      ['avatar', 'idcard_photo'],
    ] as const) {
      const parts = [file(names[0], bytes), file(names[1], other)]
      await storesNothing(on.service.dataDir, async () => {
        await expectError(await post(on.service, route, on.token, parts), 400, new RegExp(`„${own}“`))
      })
    }
  })

  test('a known name wins over an unknown one, wherever it stands', async () => {
    const [mine, other] = await two(route)
    for (const parts of [
      [file('avatar', other), file('recording', mine)],
      [file('recording', mine), file('avatar', other)],
      [file('avatar', other), file('recording', other), file(own, mine)],
    ]) {
      await expectContent((await put(on.service, route, on.token, parts)).path, mine)
    }
  })

  test('of several files the one of its own name wins, first or last, and nothing else is kept', async () => {
    const [mine, other] = await two(route)
    const foreign = PART_NAMES.find(name => name !== own)!
    for (const parts of [
      [file(own, mine), file(foreign, other)],
      [file(foreign, other), file(own, mine)],
      [file(foreign, other), file('avatar', other), file(own, mine), file(foreign, other)],
    ]) {
      await expectContent((await put(on.service, route, on.token, parts)).path, mine)
    }
    // The pictures are new each time, so the test can check that the unused one is stored nowhere.
    const loser = `uploads/${sha256(other).slice(0, 12)}.png`
    if (own === 'image') expect((await read(on.service, loser)).status).toBe(404)
  })

  test('of several under its own name the first wins', async () => {
    const [first, second] = await two(route)
    const { path } = await put(on.service, route, on.token, [file(own, first), file(own, second)])
    await expectContent(path, first)
  })
})

test('/api/v3/file: the part `file` wins over any other, wherever it stands', async () => {
  const [mine, other] = [await freshPng(), await freshPng()]
  for (const parts of [
    [file('image', other), file('file', mine)],
    [file('file', mine), file('image', other)],
  ]) {
    await expectContent((await put(on.service, '/api/v3/file', on.token, parts)).path, mine)
  }
})

test('a file that was passed over leaves nothing in the data folder, whatever becomes of the winner', async () => {
  const [mine, other] = [await freshPng(), await freshPng()]
  // The unused file comes first, so it is staged before the other arrives.
  await put(on.service, '/api/image', on.token, [file('file', other), file('image', mine)])
  await storesNothing(on.service.dataDir, async () => {
    const parts = [file('file', other), file('image', 'no picture')]
    await expectError(await post(on.service, '/api/image', on.token, parts), 415)
  })
  const staged = () => stagedFiles(on.service.dataDir)
  await eventually('nothing is left staged', async () => (await staged()).length === 0)
})

describe('text fields', () => {
  const FIELDS: Part[] = [
    { name: 'metadata', content: '{"name":"x","description":"ä","filename":"evil.exe"}' },
    { name: 'retentionExempt', content: 'true' },
    { name: 'something', content: 'else' },
  ]

  test.each([...OLDER, ...VERSION_2, '/api/v3/file'])(
    '%s: metadata, retentionExempt and unknown ones change nothing, before or after the file',
    async route => {
      const [bytes] = await two(route)
      const own = route.split('/').at(-1)!
      const bare = await put(on.service, route, on.token, [file(own, bytes)])
      for (const parts of [
        [...FIELDS, file(own, bytes)],
        [file(own, bytes), ...FIELDS],
        [FIELDS[0]!, file(own, bytes), FIELDS[1]!],
      ]) {
        const stored = await put(on.service, route, on.token, parts)
        expect(stored.path).toBe(bare.path)
      }
    },
  )

  test.each([
    ['empty', ''],
    ['no JSON', 'not json'],
    ['broken JSON', '{"broken":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['100 KB', 'x'.repeat(100_000)],
  ])('metadata is not looked at: %s', async (_, content) => {
    const parts = [file('image', await freshPng()), { name: 'metadata', content }]
    await put(on.service, '/api/image', on.token, parts)
  })

  test.each(['before', 'after'])('filename and path count when they stand %s the file', async where => {
    const bytes = await freshPng()
    const fields = [
      { name: 'filename', content: 'Shot.png' },
      { name: 'path', content: 'gallery' },
    ]
    const parts = where === 'before' ? [...fields, file('file', bytes)] : [file('file', bytes), ...fields]
    const { path } = await put(on.service, '/api/v3/file', on.token, parts)
    expect(path).toBe(`uploads/gallery/shot-${sha256(bytes).slice(0, 12)}.png`)
  })

  test('a text field of the right name is no file: 400', async () => {
    await storesNothing(on.service.dataDir, async () => {
      const response = await post(on.service, '/api/image', on.token, [{ name: 'image', content: 'x' }])
      await expectError(response, 400, /„image“ hat keinen Dateinamen/)
    })
  })

  test('beside the file a text field of its name does no harm', async () => {
    const bytes = await freshPng()
    const parts = [{ name: 'image', content: 'shot.png' }, file('image', bytes)]
    await expectContent((await put(on.service, '/api/image', on.token, parts)).path, bytes)
  })
})

describe('however it is cut', () => {
  test('fields that come late, after a pause behind the file', async () => {
    const bytes = await freshPng()
    const parts = [file('file', bytes), { name: 'filename', content: 'late.png' }]
    const body = multipart(parts)
    const cut = body.length - `--${BOUNDARY}\r\nContent-Disposition: form-data; name="filename"`.length
    using connection = await openRaw(on.service.port)
    const headers = { Authorization: on.token, ...MULTIPART, 'Content-Length': body.length }
    await connection.write(head('POST /api/v3/file', headers))
    await connection.write(body.subarray(0, cut))
    // The file is complete, but the service must not answer yet: it does not know the name.
    await expect(connection.answer({ deadlineMs: 200 })).rejects.toThrow('time is up')
    await connection.write(body.subarray(cut))
    const stored = await expectStored(await connection.answer(), '/api/v3/file')
    expect(stored.path).toBe(`uploads/late-${sha256(bytes).slice(0, 12)}.png`)
  })

  test('the twin: hanging up instead stores nothing', async () => {
    const body = multipart([file('file', await freshPng()), { name: 'filename', content: 'gone.png' }])
    await storesNothing(on.service.dataDir, async () => {
      using connection = await openRaw(on.service.port)
      const headers = { Authorization: on.token, ...MULTIPART, 'Content-Length': body.length }
      await connection.write(head('POST /api/v3/file', headers))
      await connection.write(body.subarray(0, body.length - 30))
      await expect(connection.answer({ deadlineMs: 100 })).rejects.toThrow('time is up')
    })
  })

  test('in chunks of seven bytes, boundaries and all', async () => {
    const bytes = concat(await freshPng(), `\r\n--${BOUNDARY.slice(0, -1)}\r\n`, randomBytes(7, 3000))
    const body = multipart([{ name: 'metadata', content: '{}' }, file('image', bytes)])
    const pieces = Array.from({ length: Math.ceil(body.length / 7) }, (_, n) => body.slice(n * 7, n * 7 + 7))
    const response = await fetch(`${on.service.url}/api/image`, {
      method: 'POST',
      headers: { Authorization: on.token, ...MULTIPART },
      body: new ReadableStream({
        pull(controller) {
          const piece = pieces.shift()
          if (piece) controller.enqueue(piece)
          else controller.close()
        },
      }),
    })
    await expectContent((await expectStored(response, '/api/image')).path, bytes)
  })
})
