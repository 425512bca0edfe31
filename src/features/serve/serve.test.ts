import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { responseOf } from '../../http/server/answers.ts'
import { derivedObjectName, objectName } from '../../storage/names.ts'
import { useInstance } from '../../testing/instance.ts'
import { putRow } from '../media/media.store.ts'
import { createTally } from '../metrics/tally.ts'
import { createServe } from './serve.ts'

const { root, storage, database } = await useInstance()
const counted: number[] = []
const hurried: number[] = []
const retrievals = { count: (nr: number) => void counted.push(nr) }
const tally = createTally()
function noSizes(): never {
  throw new Error('nobody asked for a size')
}
const serve = createServe({
  database,
  storage,
  retrievals,
  prioritize: nr => void hurried.push(nr),
  findSize: noSizes,
  tally,
  clock: () => performance.now(),
  now: Date.now,
  maxOpenFiles: 256,
  preparedBytes: 2 ** 20,
})
afterAll(() => serve.close())
beforeEach(() => {
  counted.length = 0
  hurried.length = 0
})

/** Stores or overwrites a file, with a variant if one is given. */
async function store(
  path: string,
  content: string,
  given: { mime?: string; variant?: string; preview?: string } = {},
) {
  const id = newId()
  const object = objectName(path, id)
  const sha256 = new Bun.CryptoHasher('sha256').update(content).digest('hex')
  const file = {
    id,
    path,
    object,
    size: content.length,
    sha256,
    mime: given.mime ?? 'image/png',
    kind: 'bilder' as const,
  }
  await Bun.write(join(root, object), content)
  if (given.variant) await Bun.write(join(root, derivedObjectName('variant', object)), given.variant)
  if (given.preview) await Bun.write(join(root, derivedObjectName('preview', object)), given.preview)
  const sizes = { variant_size: given.variant?.length ?? null, preview_size: given.preview?.length ?? null }
  const nr = await database.transaction(async tx => {
    const number = await putRow(tx, {
      ...file,
      token_id: null,
      created_at: 1,
      updated_at: 1,
      derived: 'done',
    })
    await tx.updateTable('media').set(sizes).where('nr', '=', number).execute()
    return number
  })
  return { nr, object }
}
const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  responseOf(await serve.sendFile(new Request(`http://x/f/${path}`, { method, headers }), path))
const text = async (path: string, headers?: Record<string, string>) => (await ask(path, headers)).text()
const WEBP = { Accept: 'image/avif,image/webp,*/*' }

// Each is requested several times: the first answer is built, the later ones come from memory.
const ROUNDS = [1, 2, 3]

describe('what is answered', () => {
  test('the variant for those who take WebP, the original byte for byte for all others', async () => {
    await store('a.png', 'original', { variant: 'small' })
    for (const _ of ROUNDS) {
      const webp = await ask('a.png', WEBP)
      const plain = await ask('a.png', { Accept: 'image/png' })
      expect([await webp.text(), await plain.text()]).toEqual(['small', 'original'])
      expect([webp, plain].map(({ headers }) => headers.get('Content-Type'))).toEqual([
        'image/webp',
        'image/png',
      ])
      expect([webp, plain].map(({ headers }) => headers.get('Vary'))).toEqual(['Accept', 'Accept'])
      expect(webp.headers.get('ETag')).toBe(plain.headers.get('ETag')!.replace(/"$/, '-w"'))
    }
  })

  test('a tag gives 304 for the one it belongs to, and 200 for the other', async () => {
    await store('b.png', 'original', { variant: 'small' })
    const tag = (await ask('b.png', WEBP)).headers.get('ETag')!
    for (const _ of ROUNDS) {
      const known = await ask('b.png', { ...WEBP, 'If-None-Match': tag })
      expect([known.status, await known.text(), known.headers.get('ETag')]).toEqual([304, '', tag])
      const other = await ask('b.png', { 'If-None-Match': tag })
      expect([other.status, await other.text()]).toEqual([200, 'original'])
    }
  })

  test('the second 304 comes from memory, also of a file that nobody has read and of one too large to be kept', async () => {
    for (const [path, content] of [
      ['known.png', 'known'],
      ['large.png', 'x'.repeat(2 ** 21)],
    ] as const) {
      await store(path, content)
      const tag = (await ask(path, {}, 'HEAD')).headers.get('ETag')!
      const before = { ...tally.files }
      for (const _ of ROUNDS) {
        const known = await ask(path, { 'If-None-Match': tag })
        expect([known.status, await known.text(), known.headers.get('ETag')]).toEqual([304, '', tag])
      }
      expect([tally.files.notModified, tally.files.memoryNotModified]).toEqual([
        before.notModified + 1,
        before.memoryNotModified + 2,
      ])
      expect(await text(path)).toBe(content)
    }
    // Since the file was read, both of its answers are in memory.
    const before = { ...tally.files }
    const tag = (await ask('known.png')).headers.get('ETag')!
    await ask('known.png', { 'If-None-Match': tag })
    expect([tally.files.memory, tally.files.memoryNotModified]).toEqual([
      before.memory + 1,
      before.memoryNotModified + 1,
    ])
    // Also in the other order.
    await store('read.png', 'read')
    const read = (await ask('read.png')).headers.get('ETag')!
    for (const _ of ROUNDS) {
      expect((await ask('read.png', { 'If-None-Match': read })).status).toBe(304)
      expect(await text('read.png')).toBe('read')
    }
  })

  test('a 304 to HEAD leaves no answer for a GET', async () => {
    await store('head.png', 'head')
    const tag = (await ask('head.png', {}, 'HEAD')).headers.get('ETag')!
    await ask('head.png', { 'If-None-Match': tag }, 'HEAD')
    const known = await ask('head.png', { 'If-None-Match': tag })
    expect([known.status, known.headers.get('Content-Length')]).toEqual([304, null])
  })

  test('an overwritten file is new at once, a deleted one gone, a renamed one found elsewhere', async () => {
    const { nr } = await store('c.png', 'first')
    for (const _ of ROUNDS) expect(await text('c.png')).toBe('first')
    await store('c.png', 'second')
    for (const _ of ROUNDS) expect(await text('c.png')).toBe('second')
    await database.transaction(tx =>
      tx.updateTable('media').set({ path: 'd.png' }).where('nr', '=', nr).execute(),
    )
    for (const _ of ROUNDS) expect(await text('d.png')).toBe('second')
    expect(await ask('c.png').catch(error => error.code)).toBe('file-absent')
    await database.transaction(tx => tx.deleteFrom('media').where('nr', '=', nr).execute())
    expect(await ask('d.png').catch(error => error.code)).toBe('file-absent')
  })

  test('a download has the name that was asked for, also after a rename', async () => {
    const { nr } = await store('x/page.html', '<p>', { mime: 'text/html' })
    const name = async (path: string) => (await ask(path)).headers.get('Content-Disposition')
    for (const _ of ROUNDS) expect(await name('x/page.html')).toBe('attachment; filename="page.html"')
    await database.transaction(tx =>
      tx.updateTable('media').set({ path: 'y.htm' }).where('nr', '=', nr).execute(),
    )
    for (const _ of ROUNDS) expect(await name('y.htm')).toBe('attachment; filename="y.htm"')
  })

  test('a range, from memory or not', async () => {
    await store('r.png', '0123456789')
    for (const _ of ROUNDS) {
      const part = await ask('r.png', { Range: 'bytes=2-4' })
      expect([part.status, await part.text(), part.headers.get('Content-Range')]).toEqual([
        206,
        '234',
        'bytes 2-4/10',
      ])
      expect(await text('r.png')).toBe('0123456789')
      expect(await ask('r.png', { Range: 'bytes=10-' }).catch(error => error.status)).toBe(416)
      expect(await text('r.png', { Range: 'bytes=2-4', 'If-Range': '"other"' })).toBe('0123456789')
    }
  })
})

describe('counting', () => {
  test('a GET, a 304 and a range from the start count; HEAD, other ranges and previews do not', async () => {
    const { nr } = await store('n.png', '0123456789', { preview: 'p' })
    const tag = (await ask('n.png')).headers.get('ETag')!
    const counts = async (headers: Record<string, string>, method?: string) => {
      counted.length = 0
      await ask('n.png', headers, method)
      return counted.filter(number => number === nr).length
    }
    for (const _ of ROUNDS) {
      expect(await counts({})).toBe(1)
      expect(await counts({ 'If-None-Match': tag })).toBe(1)
      expect(await counts({ Range: 'bytes=0-3' })).toBe(1)
      expect(await counts({ Range: 'bytes=1-3' })).toBe(0)
      expect(await counts({}, 'HEAD')).toBe(0)
    }
    counted.length = 0
    await serve.sendDerived('preview')(new Request('http://x/t/n.png.webp'), 'n.png.webp')
    expect(counted).toEqual([])
  })
})

describe('what is not there', () => {
  test('a lost variant costs the variant only, a lost original is trouble of ours', async () => {
    const { object } = await store('l.png', 'original', { variant: 'small' })
    await storage.remove(derivedObjectName('variant', object))
    expect(await text('l.png', WEBP)).toBe('original')
    const lost = await store('m.png', 'original')
    await storage.remove(lost.object)
    expect(await ask('m.png').catch(error => [error.code, error.message])).toEqual([
      undefined,
      expect.stringContaining('missing'),
    ])
  })

  test('an object that is shorter than its row says is not passed off as the file', async () => {
    const { object } = await store('s.png', 'complete')
    await Bun.write(join(root, object), 'half')
    expect(await ask('s.png').catch(error => error.message)).toContain('4 bytes, not 8')
  })

  test('a preview is served under its name, and nothing else is one', async () => {
    await store('v.png', 'original', { preview: 'thumb' })
    await store('w.png', 'original')
    const preview = async (path: string) =>
      responseOf(await serve.sendDerived('preview')(new Request(`http://x/t/${path}`), path))
    const before = { ...tally.previews }
    for (const _ of ROUNDS) expect(await (await preview('v.png.webp')).text()).toBe('thumb')
    expect([tally.previews.whole, tally.previews.memory]).toEqual([before.whole + 1, before.memory + 2])
    for (const path of ['v.png', 'w.png.webp', 'none.png.webp', '.webp', ''])
      expect(await preview(path).catch(error => error.code)).toBe('preview-absent')
  })

  test('a reader who takes WebP hurries the variant and waits for it; one who does not is answered at once', async () => {
    const { nr, object } = await store('p.png', 'original')
    await database.transaction(tx =>
      tx.updateTable('media').set({ derived: 'pending' }).where('nr', '=', nr).execute(),
    )
    expect(await text('p.png')).toBe('original')
    expect(hurried).toEqual([])
    const waiting = text('p.png', WEBP)
    await Bun.write(join(root, derivedObjectName('variant', object)), 'small')
    const done = { derived: 'done' as const, variant_size: 5 }
    await database.transaction(tx => tx.updateTable('media').set(done).where('nr', '=', nr).execute())
    expect(await waiting).toBe('small')
    expect(hurried).toEqual([nr])
  })
})

test('a database that answers by promise is asked once per request, and prepared answers are used all the same', async () => {
  let looks = 0
  const behindNetwork = {
    ...database,
    async servedFile(path: string) {
      looks++
      return database.servedFile(path)
    },
  }
  const own = createTally()
  const remote = createServe({
    ...{ database: behindNetwork, storage, retrievals, prioritize: () => {}, tally: own },
    findSize: noSizes,
    clock: () => performance.now(),
    now: Date.now,
    maxOpenFiles: 256,
    preparedBytes: 2 ** 20,
  })
  const { object } = await store('remote.png', 'first')
  const bytes = async () =>
    responseOf(await remote.sendFile(new Request('http://x/f/remote.png'), 'remote.png')).text()
  expect([await bytes(), await bytes(), await bytes()]).toEqual(['first', 'first', 'first'])
  expect([looks, own.files.whole, own.files.memory]).toEqual([3, 1, 2])
  await store('remote.png', 'second')
  await storage.remove(object)
  expect([await bytes(), looks]).toEqual(['second', 4])
  remote.close()
})
