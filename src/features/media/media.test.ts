import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { newId } from '../../base/ids.ts'
import type { Database } from '../../database/database.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { derivedObjectName, parseObjectName } from '../../storage/names.ts'
import { useInstance } from '../../testing/instance.ts'
import { tokenWith } from '../../testing/token.ts'
import { createDiscards } from './discards.ts'
import { findByPath } from './media.store.ts'
import { createMedia, type FileToStore } from './media.ts'
import { DISCARD_REPLACED, mediaParts } from './testing.ts'

const { storage, database, log } = await useInstance()
let clock = 1000
const now = () => clock
const discards = createDiscards({ database, storage, coordination: noLeasesHeld, log, now, delay: 50 })
const told: number[] = []
const parts = {
  ...mediaParts(DISCARD_REPLACED),
  database,
  storage,
  discards,
  newId,
  now,
  isDerivable: (mime: string) => mime.startsWith('image/'),
}
const media = createMedia({ ...parts, onStored: nr => told.push(nr) })

afterAll(async () => {
  await discards.stop()
})
beforeEach(async () => {
  await database.transaction(async tx => {
    await tx.deleteFrom('media').execute()
    await tx.deleteFrom('discard').execute()
  })
  for (const name of await objects()) await storage.remove(name)
  told.length = 0
})

async function stageText(text: string) {
  const staging = await storage.stage()
  await staging.write(new TextEncoder().encode(text))
  return staging
}
async function store(path: string, text: string, given: Partial<FileToStore> = {}, through = media) {
  const staging = await stageText(text)
  const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const file = {
    path,
    staging,
    size: text.length,
    sha256,
    mime: 'text/plain',
    actor: 'service' as const,
    overwrite: true,
  }
  try {
    return await through.store({ ...file, ...given })
  } finally {
    await staging.discard()
  }
}
const remove = (path: string) => media.remove(path, 'service')
const TOKEN = { token: tokenWith({ name: 'Spielserver' }) }
const objects = async () => (await Array.fromAsync(storage.list('files/'))).map(object => object.name).sort()
const discarded = async () =>
  (await database.read.selectFrom('discard').select('object').orderBy('nr').execute()).map(
    entry => entry.object,
  )
const read = async (path: string) => {
  const row = await findByPath(database.read, path)
  return row && new TextDecoder().decode(await (await storage.open(row.object))!.bytes())
}

describe('storing', () => {
  test('a new file has a row and an object of its own', async () => {
    const stored = await store('a/b.png', 'content', { mime: 'image/png', actor: TOKEN })
    expect(stored).toMatchObject({ path: 'a/b.png', size: 7, mime: 'image/png', replaced: false })
    const row = (await findByPath(database.read, 'a/b.png'))!
    expect(row).toMatchObject({
      id: stored.id,
      nr: stored.nr,
      kind: 'bilder',
      token_id: 't',
      derived: 'pending',
    })
    expect(row).toMatchObject({ created_at: clock, updated_at: clock, retrievals: 0, variant_size: null })
    expect(parseObjectName(row.object)).toEqual({ role: 'original', id: stored.id, path: 'a/b.png' })
    expect(await read('a/b.png')).toBe('content')
    expect(await discarded()).toEqual([])
  })

  test('what nothing derives from is done at once', async () => {
    await store('a.txt', 'x')
    expect(await findByPath(database.read, 'a.txt')).toMatchObject({ derived: 'done' })
  })

  test('its row is there when the news goes out', async () => {
    const seen: unknown[] = []
    const telling = createMedia({
      ...parts,
      onStored: nr => seen.push([nr, database.servedFile('told.png') !== null]),
    })
    const { nr } = await store('told.png', 'x', { mime: 'image/png' }, telling)
    expect(seen).toEqual([[nr, true]])
  })
})

describe('overwriting', () => {
  test('gives new content under the same number; what it lets go is on the list', async () => {
    const first = await store('a.png', 'first')
    const before = (await findByPath(database.read, 'a.png'))!
    await database.transaction(tx =>
      tx.updateTable('media').set({ variant_size: 1, preview_size: 2, retrievals: 5, width: 3 }).execute(),
    )
    clock += 500
    const second = await store('a.png', 'second')
    expect(second).toMatchObject({ nr: first.nr, replaced: true })
    expect(second.id).not.toBe(first.id)
    const row = await findByPath(database.read, 'a.png')
    expect(row).toMatchObject({
      created_at: clock - 500,
      updated_at: clock,
      retrievals: 5,
      variant_size: null,
    })
    expect(row).toMatchObject({ preview_size: null, width: null })
    expect(await read('a.png')).toBe('second')
    const { object } = before
    expect(await discarded()).toEqual([
      object,
      derivedObjectName('variant', object),
      derivedObjectName('preview', object),
    ])
    // The old object stays for readers that have just read its row.
    expect(await storage.open(object)).not.toBeNull()
  })

  test('lets go only what the row owned', async () => {
    await store('a.txt', 'first')
    const { object } = (await findByPath(database.read, 'a.txt'))!
    await store('a.txt', 'second')
    expect(await discarded()).toEqual([object])
  })

  test('is refused with 409 when it is not wanted, and leaves no trace', async () => {
    await store('a.txt', 'first', { mime: 'image/png' })
    const before = await objects()
    const refusal = await store('a.txt', 'second', { overwrite: false }).catch(error => error)
    expect(refusal).toMatchObject({ code: 'path-taken', status: 409 })
    expect(await read('a.txt')).toBe('first')
    expect(await objects()).toEqual(before)
    expect([await discarded(), told.length]).toEqual([[], 1])
  })

  test('of a free path is none, wanted or not', async () =>
    expect(await store('free.txt', 'x', { overwrite: false })).toMatchObject({ replaced: false }))

  test('of many at once without overwriting: one wins, and nothing is left of the others', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => store('race.txt', `content ${at}`, { overwrite: false })),
    )
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
    expect(await objects()).toHaveLength(1)
    const winner = outcomes.findIndex(outcome => outcome.status === 'fulfilled')
    expect(await read('race.txt')).toBe(`content ${winner}`)
  })

  test('of many at once: one row, one object in the end, all others on the list', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => store('race.txt', `content ${at}`)))
    expect(await discarded()).toHaveLength(11)
    clock += 60
    await discards.run()
    expect(await objects()).toEqual([(await findByPath(database.read, 'race.txt'))!.object])
    expect(await read('race.txt')).toStartWith('content ')
  })
})

describe('removing', () => {
  test('takes the row, its place on the relocation list, and lets all its objects go', async () => {
    const { nr } = await store('x/a.png', 'content')
    await database.transaction(async tx => {
      await tx.updateTable('media').set({ variant_size: 1 }).execute()
      await tx.insertInto('relocation').values({ media_nr: nr }).execute()
    })
    const { object } = (await findByPath(database.read, 'x/a.png'))!
    expect(await remove('x/a.png')).toBe(true)
    expect(await findByPath(database.read, 'x/a.png')).toBeNull()
    expect(await discarded()).toEqual([object, derivedObjectName('variant', object)])
    expect(await database.read.selectFrom('relocation').selectAll().execute()).toEqual([])
  })

  test('what is not there is false, and changes nothing', async () => {
    await store('A.txt', 'x')
    for (const path of ['a.txt', 'A', 'A.txt/', '']) expect(await remove(path)).toBe(false)
    expect(await read('A.txt')).toBe('x')
    expect(await discarded()).toEqual([])
  })

  test('of many at once happens once', async () => {
    await store('once.txt', 'x')
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => remove('once.txt')))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await discarded()).toHaveLength(1)
  })
})

describe('uploads are told of in their transaction', () => {
  const heard: unknown[] = []
  const listening = createMedia({
    ...parts,
    onStored: () => {},
    async onUpload(tx, upload) {
      const there = await findByPath(tx, upload.path)
      heard.push({ ...upload, there: there !== null })
      if (upload.path.startsWith('trouble')) throw new Error('no message today')
    },
  })
  beforeEach(() => {
    heard.length = 0
  })

  test('new, overwritten and renewed ones, with who sent them; none that was refused', async () => {
    await store('a.txt', 'one', { actor: TOKEN }, listening)
    await store('a.txt', 'other', { actor: TOKEN }, listening)
    await store('a.txt', 'other', { actor: TOKEN, overwrite: 'equal' }, listening)
    await expect(store('a.txt', 'x', { actor: TOKEN, overwrite: false }, listening)).rejects.toThrow()
    const told = { path: 'a.txt', actor: TOKEN, there: true }
    expect(heard).toEqual([3, 5, 5].map(size => ({ ...told, size })))
  })

  test('all or nothing: what cannot be noted is not stored', async () => {
    await expect(store('trouble.txt', 'x', { actor: TOKEN }, listening)).rejects.toThrow('no message')
    expect(await findByPath(database.read, 'trouble.txt')).toBeNull()
  })
})

describe('trouble', () => {
  test('of the store: no row, no news', async () => {
    const failing = createMedia({
      ...parts,
      storage: { ...storage, commit: () => Promise.reject(new Error('disk')) },
      onStored: nr => told.push(nr),
    })
    await expect(store('a.txt', 'x', {}, failing)).rejects.toThrow('disk')
    expect([await findByPath(database.read, 'a.txt'), told]).toEqual([null, []])
  })

  test('of the database: the object stays, since the row may yet be there; the sweep decides', async () => {
    const uncertain: Database = {
      ...database,
      async transaction(work) {
        await database.transaction(work)
        throw new Error('connection lost while committing')
      },
    }
    const failing = createMedia({ ...parts, database: uncertain, onStored: nr => told.push(nr) })
    await expect(store('a.txt', 'kept', {}, failing)).rejects.toThrow('connection lost')
    expect(await read('a.txt')).toBe('kept')
  })
})

describe('an upload that is recorded a second time, because its first commit was not answered', () => {
  /** Commits every transaction and then runs it again. */
  const again: Database = {
    ...database,
    async transaction(work, options) {
      await database.transaction(work, options)
      return database.transaction(work, options)
    },
  }
  const repeating = createMedia({ ...parts, database: again, onStored: nr => told.push(nr) })
  const entries = async () =>
    (await database.read.selectFrom('history').select('what').orderBy('nr').execute()).map(({ what }) => what)

  test.each([
    ['new', {}],
    ['new, and nothing may be overwritten', { overwrite: false }],
    ['new, equal bytes allowed', { overwrite: 'equal' as const }],
  ])('%s: keeps its own object and is one file with one entry', async (_, given) => {
    const before = await entries()
    const stored = await store('twice.txt', 'mine', given, repeating)
    expect([stored.replaced, await read('twice.txt'), await discarded()]).toEqual([false, 'mine', []])
    expect([await objects(), (await entries()).length]).toEqual([[expect.any(String)], before.length + 1])
  })

  test('overwriting: lets only the earlier content go', async () => {
    await store('twice.txt', 'earlier')
    const [object] = await objects()
    clock++
    const stored = await store('twice.txt', 'mine', {}, repeating)
    expect([stored.replaced, await read('twice.txt'), await discarded()]).toEqual([true, 'mine', [object!]])
  })

  test('joining equal bytes: one id, one entry, and the object of the file stays', async () => {
    const first = await store('twice.txt', 'same', { overwrite: 'equal' })
    const before = await entries()
    const second = await store('twice.txt', 'same', { overwrite: 'equal' }, repeating)
    expect([second.nr, second.id === first.id, await read('twice.txt')]).toEqual([first.nr, false, 'same'])
    const ids = await database.read
      .selectFrom('upload_id')
      .select('id')
      .where('content_id', '=', first.id)
      .execute()
    expect([ids.length, (await entries()).length, await discarded()]).toEqual([2, before.length + 1, []])
  })
})
