import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { createRenderError } from '../../http/answers/render-error.ts'
import { createRequestIds } from '../../http/request-id.ts'
import { createRouter, mountRoutes } from '../../http/routes.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { useInstance } from '../../testing/instance.ts'
import { tokenWith } from '../../testing/token.ts'
import { createDiscards } from '../media/discards.ts'
import { createMedia } from '../media/media.ts'
import { mediaParts } from '../media/testing.ts'
import { createSettings } from '../settings/settings.ts'
import { createStoredBytes } from './stored-bytes.ts'
import { uploadRoute } from './upload.route.ts'
import { createUpload } from './upload.ts'

const { storage, database, log } = await useInstance()
const now = Date.now
const discards = createDiscards({ database, storage, coordination: noLeasesHeld, log, now, delay: 3_000 })
const settings = createSettings({ environment: { MAX_UPLOAD_MB: '0.5' }, port: 80 })
const media = createMedia({
  ...mediaParts(),
  database,
  storage,
  discards,
  newId,
  now,
  isDerivable: () => false,
  onStored: () => {},
})
const upload = createUpload({
  database,
  storage,
  media,
  settings,
  checkKinds: async () => {},
  makeStoredBytes: createStoredBytes({ downscale: async () => null, removeMetadata: async file => file }),
})

const token = tokenWith()
const app = createRouter()
mountRoutes(app, () => token, [uploadRoute({ upload, settings })])
app.onError(error => createRenderError({ log, ids: createRequestIds({ newId }) })(error))

afterAll(async () => {
  await discards.stop()
})
// Nothing may be left staged; if something is, only the test that left it fails.
afterEach(async () => {
  const left = await readdir(storage.scratch)
  for (const name of left) await rm(join(storage.scratch, name))
  expect(left).toEqual([])
})

const file = (body: string, name = 'file') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f.txt"\r\n\r\n${body}\r\n`
const END = '--b--\r\n'
async function send(path: string, body: string, headers: Record<string, string> = {}) {
  const type = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const init = { method: 'POST', headers: { ...type, 'X-Path': path, ...headers }, body }
  const response = await app.fetch(new Request('http://x/api/upload', init), {
    peers: { requestIP: () => null },
  })
  return { status: response.status, ...((await response.json()) as { size?: number; error?: string }) }
}
const stored = async (path: string) => {
  const row = await database.servedFile(path)
  return row && new TextDecoder().decode(await (await storage.open(row.object))!.bytes())
}

describe('a form', () => {
  test('of one file is stored', async () => {
    expect(await send('one.txt', file('content') + END)).toMatchObject({ status: 200, size: 7 })
    expect(await stored('one.txt')).toBe('content')
  })

  test('of two files stores the first, each time, and leaves nothing of the other', async () => {
    for (let round = 0; round < 5; round++) {
      await send(`two-${round}.txt`, file('first') + file('second') + END)
      expect(await stored(`two-${round}.txt`)).toBe('first')
    }
  })

  test('whose only file has another name is stored', async () => {
    expect(await send('sole.txt', file('content', 'other') + END)).toMatchObject({ status: 200, size: 7 })
    expect(await stored('sole.txt')).toBe('content')
  })

  test('of several files that all have other names is told so, and leaves nothing', async () => {
    const answer = await send('none.txt', file('content', 'other') + file('content', 'third') + END)
    expect(answer).toMatchObject({ status: 400, error: expect.stringContaining('„file“') })
    expect(await stored('none.txt')).toBeNull()
  })

  test('that breaks off behind its file stores nothing', async () => {
    expect(await send('cut.txt', `${file('content')}--b\r\nCont`)).toMatchObject({ status: 400 })
    expect(await stored('cut.txt')).toBeNull()
  })

  test('whose file is too large stores nothing', async () => {
    expect(await send('large.txt', file('x'.repeat(600_000)) + END)).toMatchObject({ status: 413 })
    expect(await stored('large.txt')).toBeNull()
  })

  test('of Base64 is decoded, and a broken one refused', async () => {
    const encoded = { 'X-Encoding': 'base64' }
    expect(await send('b64.txt', file('data:text/plain;base64,YWJj') + END, encoded)).toMatchObject({
      size: 3,
    })
    expect(await stored('b64.txt')).toBe('abc')
    expect(await send('b65.txt', file('YWJjY') + END, encoded)).toMatchObject({ status: 400 })
    expect(await stored('b65.txt')).toBeNull()
  })
})
