/** `/api/dash/herunterladen`: a folder or a selection as a ZIP, read back by a real unzip. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { expectError, remove, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { sharedLibrary } from '../support/library.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { needsTool } from '../support/tools.ts'
import { unzipped } from '../support/unzip.ts'

needsTool('unzip')
const on = sharedLibrary()
const LARGE = randomBytes(7, 3_000_000)
const FILES: Record<string, string | Uint8Array<ArrayBuffer>> = {
  'a/items/one.txt': 'one',
  'a/items/two/three.txt': 'three',
  'a/items/large.bin': LARGE,
  'a/itemsx/other.txt': 'not in the folder',
  'b/four.txt': 'four',
}

beforeAll(async () => {
  for (const [path, content] of Object.entries(FILES)) await store(on.service, on.token, path, content)
})

const folder = (name: string) => on.get(`herunterladen?ordner=${name}`)
const selection = (pfade: unknown) =>
  fetch(`${on.service.url}/api/dash/herunterladen`, {
    method: 'POST',
    headers: { ...MULTIPART, Cookie: `fundus_sitzung=${on.session}` },
    body: multipart([{ name: 'pfade', content: JSON.stringify(pfade) }]),
  })

const text = (files: Record<string, Uint8Array>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString().slice(0, 200)]),
  )
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('a folder as ZIP', () => {
  test('with its subfolders, under its own name', async () => {
    const response = await folder('a/items')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="items-\d{4}-\d\d-\d\d\.zip"$/,
    )
    const files = await unzipped(response)
    expect(Object.keys(files)).toEqual(['items/large.bin', 'items/one.txt', 'items/two/three.txt'])
    expect(text(files)).toMatchObject({ 'items/one.txt': 'one', 'items/two/three.txt': 'three' })
    expect(hash(files['items/large.bin']!)).toBe(hash(LARGE))
  })

  test('everything, when no folder is named; not counted as retrievals', async () => {
    const files = await unzipped(await on.get('herunterladen'))
    expect(Object.keys(files)).toEqual(Object.keys(FILES).sort())
    await on.service.restart()
    expect((await on.file('a/items/one.txt')).abrufe).toBe(0)
  })

  test('that is not there: 404', async () => {
    await expectError(await folder('nowhere'), 404)
    await expectError(await folder('../etc'), 400)
  })
})

describe('a selection as ZIP', () => {
  test('of one folder: plain names', async () => {
    const response = await selection(['a/items/one.txt', 'a/items/two/three.txt'])
    expect(response.headers.get('content-disposition')).toMatch(/filename="auswahl-/)
    expect(text(await unzipped(response))).toEqual({ 'one.txt': 'one', 'two/three.txt': 'three' })
  })

  test('of several folders: below what they have in common; what is not there is left out', async () => {
    const paths = ['b/four.txt', 'a/items/one.txt', 'a/itemsx/other.txt', 'a/gone.txt', 'b/four.txt']
    expect(Object.keys(await unzipped(await selection(paths)))).toEqual([
      'a/items/one.txt',
      'a/itemsx/other.txt',
      'b/four.txt',
    ])
    expect(Object.keys(await unzipped(await selection(paths.slice(1, 3))))).toEqual([
      'items/one.txt',
      'itemsx/other.txt',
    ])
  })

  test.each<[string, unknown, number]>([
    ['only what is not there', ['gone.txt'], 404],
    ['nothing', [], 400],
    ['no list', 'a/items/one.txt', 400],
    ['numbers', [1], 400],
    ['too many', Array.from({ length: 10_001 }, (_, at) => `a/${at}.txt`), 400],
  ])('%s is refused', async (_, pfade, status) => {
    await expectError(await selection(pfade), status)
  })

  test('another body is refused, and a page of another site too', async () => {
    await expectError(await on.post('herunterladen', { pfade: ['b/four.txt'] }), 400)
    const foreign = await fetch(`${on.service.url}/api/dash/herunterladen`, {
      method: 'POST',
      headers: { ...MULTIPART, Cookie: `fundus_sitzung=${on.session}`, Origin: 'https://evil.example' },
      body: multipart([{ name: 'pfade', content: '["b/four.txt"]' }]),
    })
    await expectError(foreign, 403)
  })
})

describe('while it is being taken', () => {
  /**
   * Reads the head of an archive, so that the service has begun to send, then waits for `meanwhile` before it
   * reads the rest.
   */
  async function slowly(response: Response, meanwhile: () => Promise<void>): Promise<Response> {
    const reader = response.body!.getReader()
    const chunks: Uint8Array[] = [(await reader.read()).value!]
    await meanwhile()
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value)
    return new Response(Buffer.concat(chunks), { headers: response.headers })
  }
  const many = async (name: string) => {
    // Larger than the buffers of both ends: the last file is read only when the client reaches it.
    const names = ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin', 'f.bin', 'g.bin', 'h.bin']
    for (const each of names) await store(on.service, on.token, `${name}/${each}`, randomBytes(1, 4_000_000))
    await store(on.service, on.token, `${name}/z.txt`, 'last')
  }

  test('a file that is renamed or overwritten meanwhile comes all the same; a deleted one is named in a note', async () => {
    await many('slow')
    await store(on.service, on.token, 'slow/y.txt', 'deleted soon')
    await store(on.service, on.token, 'slow/x.txt', 'renamed soon')
    const taken = await slowly(await folder('slow'), async () => {
      await remove(on.service, on.token, 'slow/y.txt')
      await on.done('media/umbenennen', { pfad: 'slow/x.txt', name: 'renamed.txt' })
      await store(on.service, on.token, 'slow/z.txt', 'written anew')
    })
    const files = text(await unzipped(taken))
    expect(files['slow/z.txt']).toBe('written anew')
    expect(files['slow/x.txt']).toBe('renamed soon')
    expect(files['slow/y.txt']).toBeUndefined()
    expect(files['NICHT-ENTHALTEN.txt']).toContain('slow/y.txt')
  })

  test('a client that goes away costs nothing: the service goes on', async () => {
    await many('gone-away')
    for (let round = 0; round < 5; round++) {
      const response = await folder('gone-away')
      const reader = response.body!.getReader()
      await reader.read()
      await reader.cancel()
    }
    expect((await on.get('ich')).status).toBe(200)
    expect(on.service.logs().filter(line => line.level === 'error')).toEqual([])
  })
})
