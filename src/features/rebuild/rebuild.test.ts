import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { link, mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../../base/ids.ts'
import { derivedObjectName, objectName, trashObjectName } from '../../storage/names.ts'
import { type Instance, openInstance } from '../../testing/instance.ts'
import { rebuildIndex } from './rebuild.ts'

const open: Instance[] = []
afterEach(async () => {
  for (const instance of open.splice(0)) await instance[Symbol.asyncDispose]()
})

async function world() {
  const instance = await openInstance()
  open.push(instance)
  const { at, storage, database } = instance
  return {
    at,
    async put(name: string, content: string, writtenAt?: number) {
      await mkdir(dirname(at(name)), { recursive: true })
      await writeFile(at(name), content)
      if (writtenAt !== undefined) await utimes(at(name), writtenAt / 1000, writtenAt / 1000)
    },
    async alsoAs(name: string, other: string) {
      await mkdir(dirname(at(other)), { recursive: true })
      await link(at(name), at(other))
    },
    rebuild: (now = Date.now()) => rebuildIndex({ database, storage, now: () => now, onProgress: () => {} }),
    library: () => database.read.selectFrom('media').selectAll().orderBy('path').execute(),
    trash: () => database.read.selectFrom('trash').selectAll().orderBy('nr').execute(),
    database,
    storage,
  }
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const [A, B] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb']

test('everything that name, times and bytes tell', async () => {
  const { put, rebuild, library } = await world()
  const object = objectName('Folder/picture.png', A)
  await put(object, 'bytes', 1_700_000_000_000)
  expect(await rebuild()).toMatchObject({ files: 1, trash: 0, bytes: 5, toDerive: 1 })
  expect(await library()).toEqual([
    expect.objectContaining({
      id: A,
      path: 'Folder/picture.png',
      object,
      size: 5,
      sha256: sha256('bytes'),
      mime: 'image/png',
      kind: 'bilder',
      token_id: null,
      retrievals: 0,
      derived: 'pending',
      created_at: 1_700_000_000_000,
      updated_at: 1_700_000_000_000,
    }),
  ])
})

describe('derived files', () => {
  test.each<[string, string[], object]>([
    ['both there: taken over', ['variant', 'preview'], { derived: 'done', variant_size: 1, preview_size: 1 }],
    ['no variant: made anew', ['preview'], { derived: 'pending', variant_size: null, preview_size: 1 }],
    ['none: made anew', [], { derived: 'pending', variant_size: null, preview_size: null }],
  ])('of a picture, %s', async (_, there, row) => {
    for (const mark of ['123abc', null]) {
      const { put, rebuild, library } = await world()
      const object = objectName('a.png', A)
      await put(object, 'bytes')
      if (there.includes('variant')) await put(derivedObjectName('variant', object, mark), 'v')
      if (there.includes('preview')) await put(derivedObjectName('preview', object, mark), 'p')
      await rebuild()
      expect(await library()).toMatchObject([
        {
          ...row,
          variant_mark: there.includes('variant') ? mark : null,
          preview_mark: there.includes('preview') ? mark : null,
        },
      ])
    }
  })

  test('made under an earlier name of the file: made anew', async () => {
    const { put, rebuild, library } = await world()
    await put(objectName('b.png', A, 'moved1'), 'bytes')
    await put(derivedObjectName('variant', objectName('a.png', A), '123abc'), 'v')
    await put(derivedObjectName('preview', objectName('a.png', A), '123abc'), 'p')
    await rebuild()
    expect(await library()).toMatchObject([{ derived: 'pending', variant_size: null, preview_size: null }])
  })

  test('of a picture in the trash: its preview is taken over, a variant is not', async () => {
    const { put, rebuild, trash } = await world()
    const object = trashObjectName(7, 'a.png', A, '')
    await put(object, 'bytes')
    await put(derivedObjectName('preview', object, '123abc'), 'p')
    await put(derivedObjectName('variant', object, '123abc'), 'v')
    await rebuild()
    expect(await trash()).toMatchObject([{ preview_size: 1, preview_mark: '123abc', variant_size: null }])
  })

  test('of what has none nothing is expected', async () => {
    const { put, rebuild, library } = await world()
    await put(objectName('a.txt', A), 'text')
    expect((await rebuild()).toDerive).toBe(0)
    expect(await library()).toMatchObject([{ derived: 'done' }])
  })
})

describe('two objects for one file', () => {
  const older = objectName('a.txt', A)
  const newer = objectName('a.txt', B)

  test.each([
    ['newer first', [newer, older]],
    ['older first', [older, newer]],
  ])('the one written later wins, the other is named and in the trash: %s', async (_, order) => {
    const { put, rebuild, library, trash } = await world()
    const times = { [older]: 1_600_000_000_000, [newer]: 1_700_000_000_000 }
    for (const name of order) await put(name, name, times[name])
    const { rivalries } = await rebuild()
    expect(rivalries).toEqual({ count: 1, first: [{ path: 'a.txt', kept: newer, left: older }] })
    expect(await library()).toMatchObject([{ id: B, object: newer, sha256: sha256(newer) }])
    expect(await trash()).toMatchObject([
      { id: A, path: 'a.txt', object: older, sha256: sha256(older), removal_reason: 'ueberschrieben' },
    ])
    // The run continues where it stopped: no file is placed twice.
    expect(await rebuild()).toMatchObject({ files: 1, trash: 1 })
  })

  test('of two names of the same bytes the marked one is the later', async () => {
    const { put, alsoAs, rebuild, library } = await world()
    const renamed = objectName('z/renamed.txt', A, 'abcdef')
    await put(older, 'same')
    await alsoAs(older, renamed)
    const { rivalries } = await rebuild()
    expect(rivalries.first).toMatchObject([{ kept: renamed, left: older }])
    expect(await library()).toMatchObject([{ path: 'z/renamed.txt', object: renamed }])
  })

  test('a file that was renamed away from the path of a later one is no earlier version of it', async () => {
    const { put, alsoAs, rebuild, library, trash } = await world()
    await put(older, 'first', 1_600_000_000_000)
    await alsoAs(older, objectName('z/renamed.txt', A, 'abcdef'))
    await put(newer, 'second', 1_700_000_000_000)
    await rebuild()
    expect((await library()).map(({ path, id }) => [path, id])).toEqual([
      ['a.txt', B],
      ['z/renamed.txt', A],
    ])
    expect(await trash()).toEqual([])
  })
})

describe('the trash', () => {
  const now = Date.now() + 1000
  test('number, path and id come back; it was deleted when it got there, not when it was written', async () => {
    const { put, rebuild, trash } = await world()
    const object = trashObjectName(7, 'x/a.txt', A, 'abcdef')
    await put(object, 'old', 1_600_000_000_000)
    await put(trashObjectName(9, 'x/a.txt', B, 'abcdef'), 'other')
    expect(await rebuild(now)).toMatchObject({ files: 0, trash: 2, bytes: 8 })
    const [first, second] = await trash()
    expect([first, second]).toMatchObject([
      { nr: 7, path: 'x/a.txt', id: A, object, updated_at: 1_600_000_000_000 },
      { nr: 9, id: B },
    ])
    // By the time of its bytes the file would be removed at the next start.
    expect(now - first!.deleted_at).toBeLessThan(60_000)
  })

  test('beside a file at the same path: it was overwritten', async () => {
    const { put, rebuild, trash } = await world()
    await put(trashObjectName(7, 'a.txt', A, 'abcdef'), 'first')
    await put(trashObjectName(8, 'b.txt', 'c'.repeat(16), 'abcdef'), 'deleted')
    await put(objectName('a.txt', B), 'second')
    await rebuild(now)
    expect((await trash()).map(({ nr, removal_reason }) => [nr, removal_reason])).toEqual([
      [7, 'ueberschrieben'],
      [8, 'geloescht'],
    ])
  })

  test('overwritten and on its way in, under both names: it is in the trash once', async () => {
    const { put, alsoAs, rebuild, library, trash } = await world()
    await put(objectName('a.txt', A), 'first', 1_600_000_000_000)
    await alsoAs(objectName('a.txt', A), trashObjectName(3, 'a.txt', A, 'abcdef'))
    await put(objectName('a.txt', B), 'second', 1_700_000_000_000)
    await rebuild(now)
    expect((await library()).map(({ id }) => id)).toEqual([B])
    expect(await trash()).toMatchObject([{ nr: 3, id: A, removal_reason: 'ueberschrieben' }])
  })

  test('on its way in, under both names: it is in the trash', async () => {
    const { put, alsoAs, rebuild, library, trash } = await world()
    await put(objectName('a.txt', A), 'going')
    await alsoAs(objectName('a.txt', A), trashObjectName(3, 'a.txt', A, 'abcdef'))
    const { rivalries } = await rebuild(now)
    expect([await library(), (await trash()).length, rivalries.count]).toEqual([[], 1, 1])
  })

  test('on its way out, under both names: it is there', async () => {
    const { put, alsoAs, rebuild, library, trash } = await world()
    await put(trashObjectName(3, 'a.txt', A, 'abcdef'), 'coming')
    await alsoAs(trashObjectName(3, 'a.txt', A, 'abcdef'), objectName('a.txt', A, 'ghjkmn'))
    const { rivalries } = await rebuild(now)
    expect([(await library()).length, await trash(), rivalries.count]).toEqual([1, [], 1])
  })

  test('two files with one number both come back', async () => {
    const { put, rebuild, trash } = await world()
    await put(trashObjectName(4, 'a.txt', A, 'abcdef'), 'a')
    await put(trashObjectName(4, 'b.txt', B, 'abcdef'), 'b')
    await rebuild(now)
    const rows = await trash()
    expect(rows.map(({ path }) => path).sort()).toEqual(['a.txt', 'b.txt'])
    expect(rows[0]?.nr).toBe(4)
  })
})

test('foreign files and paths that no upload could have are counted and left out', async () => {
  const { put, rebuild, library } = await world()
  const foreign = ['files/notes.txt', `files/.hidden/a~${A}.txt`, `files/a b~${B}.txt`, 'trash/readme']
  for (const name of foreign) await put(name, 'mine')
  await put(derivedObjectName('preview', objectName('gone.png', A)), 'a preview without its file')
  const report = await rebuild()
  expect([report.foreign.first.toSorted(), report.files]).toEqual([foreign.toSorted(), 0])
  expect(await library()).toEqual([])
})

test('an interrupted run goes on: nothing is read twice, what has vanished since is not in it', async () => {
  const { put, at, rebuild, library, database } = await world()
  const [kept, lost, changed] = ['kept.txt', 'lost.txt', 'changed.txt'].map((path, nr) =>
    objectName(path, `${nr}`.repeat(16)),
  ) as [string, string, string]
  for (const name of [kept, lost, changed]) await put(name, name)
  await rebuild()
  await database.transaction(tx => tx.updateTable('media').set({ sha256: 'as read before' }).execute())
  await rm(at(lost))
  await put(changed, 'other bytes', Date.now() + 5000)
  expect((await rebuild()).files).toBe(2)
  expect((await library()).map(({ path, sha256: hash }) => [path, hash])).toEqual([
    ['changed.txt', sha256('other bytes')],
    ['kept.txt', 'as read before'],
  ])
})

test('a file that cannot be read for a moment was not replaced: the next run has it', async () => {
  const { put, rebuild, library, trash, storage } = await world()
  await put(objectName('a.txt', A), 'before', 1_600_000_000_000)
  await put(objectName('a.txt', B), 'now', 1_700_000_000_000)
  let refused = false
  const original = storage.inspect
  const inspect = spyOn(storage, 'inspect').mockImplementation(async object => {
    if (object !== objectName('a.txt', B) || refused) return original(object)
    refused = true
    throw new Error('not now')
  })
  expect((await rebuild()).unreadable.count).toBe(1)
  expect(await trash()).toEqual([])
  inspect.mockRestore()
  expect((await rebuild()).unreadable.count).toBe(0)
  expect([(await library())[0]!.id, (await trash())[0]!.id]).toEqual([B, A])
})

test('more files than one portion', async () => {
  const { put, rebuild, database } = await world()
  for (let nr = 0; nr < 450; nr++) await put(objectName(`f/${nr}.txt`, newId()), String(nr))
  expect((await rebuild()).files).toBe(450)
  const usage = await database.read.selectFrom('folder_usage').selectAll().execute()
  expect(usage).toEqual([{ folder: 'f/', kind: 'dokumente', files: 450, bytes: 1240 }])
})
