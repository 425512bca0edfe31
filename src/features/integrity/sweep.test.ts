import { beforeEach, describe, expect, test } from 'bun:test'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../../base/ids.ts'
import type { DerivedState } from '../../database/schema.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { derivedObjectName, objectName } from '../../storage/names.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import { useInstance } from '../../testing/instance.ts'
import { putRow } from '../media/media.store.ts'
import { sweep } from './sweep.ts'

const { root, storage, database, lostChanges } = await useInstance()
beforeEach(async () => {
  await database.transaction(async tx => {
    for (const table of ['media', 'relocation'] as const) await tx.deleteFrom(table).execute()
  })
  for (const folder of ['files', 'thumbs']) await rm(join(root, folder), { recursive: true, force: true })
})

async function put(...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), name)
  }
}
const exists = async (name: string) => Bun.file(join(root, name)).exists()
/** A row with its object; returns the object's name and the row's number. */
async function row(
  path: string,
  derived: DerivedState = 'done',
  sizes: { variant?: number; preview?: number } = {},
) {
  const id = newId()
  const object = objectName(path, id)
  const values = {
    id,
    path,
    object,
    size: 1,
    sha256: 'f'.repeat(64),
    mime: 'image/png',
    kind: 'bilder' as const,
  }
  const times = { token_id: null, created_at: 1, updated_at: 1, derived }
  const nr = await database.transaction(async tx => {
    const number = await putRow(tx, { ...values, ...times })
    const made = { variant_size: sizes.variant ?? null, preview_size: sizes.preview ?? null }
    await tx.updateTable('media').set(made).where('nr', '=', number).execute()
    return number
  })
  await put(object)
  return { nr, object }
}
const LATER = SWEEP_AGE + 60_000
const at = (passed: number) => ({
  database,
  storage,
  coordination: noLeasesHeld,
  lostChanges,
  now: () => Date.now() + passed,
})

describe('an object that nobody owns', () => {
  test('goes when it is old enough, and is named', async () => {
    const orphans = [objectName('x/a.png', newId()), objectName('b', newId(), newId(6))]
    await put(...orphans)
    await row('known.png')
    const { removedNames, missing } = await sweep(at(LATER))
    expect([removedNames.toSorted(), missing]).toEqual([orphans.toSorted(), []])
    expect(await exists(orphans[0]!)).toBe(false)
  })

  test('is kept while it is young: its row may be about to be written', async () => {
    const orphan = objectName('a.png', newId())
    await put(orphan)
    for (const passed of [0, SWEEP_AGE - 60_000]) expect((await sweep(at(passed))).removedNames).toEqual([])
    expect(await exists(orphan)).toBe(true)
  })

  test('is kept for as long as the caller says', async () => {
    const orphan = objectName('a.png', newId())
    await put(orphan)
    await row('known.png')
    expect((await sweep(at(5_000), { minAge: 10_000 })).removedNames).toEqual([])
    expect((await sweep(at(15_000), { minAge: 10_000 })).removedNames).toEqual([orphan])
  })

  test('is kept while a backup is under way, whose rows may own it', async () => {
    const orphan = objectName('a.png', newId())
    await put(orphan)
    await row('known.png')
    let held = true
    const parts = {
      ...at(LATER),
      coordination: { isHeld: async (task: string) => held && task === 'backup' },
    }
    expect((await sweep(parts)).removedNames).toEqual([])
    expect(await exists(orphan)).toBe(true)
    held = false
    expect((await sweep(parts)).removedNames).toEqual([orphan])
  })

  test('goes also as a variant or preview, and as an earlier name of a living file', async () => {
    const { object } = await row('a.png')
    const id = /~([0-9a-z]+)/.exec(object)![1]!
    const left = [
      derivedObjectName('variant', object),
      derivedObjectName('preview', object),
      objectName('before/a.png', id, newId(6)),
    ]
    await put(...left)
    expect((await sweep(at(LATER))).removedNames.toSorted()).toEqual(left.toSorted())
    expect(await exists(object)).toBe(true)
  })

  test('goes also in large numbers, when somebody has asked for it', async () => {
    await put(...Array.from({ length: 520 }, (_, nr) => objectName(`many/${nr}.txt`, newId())))
    const { object } = await row('many/kept.txt')
    expect((await sweep(at(LATER), { isRequested: true })).removedNames).toHaveLength(520)
    expect(await exists(object)).toBe(true)
  })

  test('is left to the next sweep when this one is stopped', async () => {
    const orphan = objectName('a.png', newId())
    await put(orphan)
    await row('known.png')
    const lost = await row('lost.png')
    await storage.remove(lost.object)
    const stopped = await sweep(at(LATER), { signal: AbortSignal.abort() })
    expect([stopped.removedNames, stopped.missing]).toEqual([[], []])
    const { removedNames, missing } = await sweep(at(LATER), {
      signal: new AbortController().signal,
    })
    expect([removedNames, missing]).toEqual([[orphan], ['lost.png']])
  })
})

describe('a database that has lost its rows: every file stays', () => {
  const withLeftovers = (count: number) =>
    Array.from({ length: count }, (_, nr) => objectName(`lost/${nr}.png`, newId()))

  test.each([false, true])('not a single row, and but one file; by hand: %p', async isRequested => {
    const [orphan = ''] = withLeftovers(1)
    await put(orphan, derivedObjectName('preview', orphan))
    expect(await sweep(at(LATER), { isRequested })).toMatchObject({ removedNames: [], heldBackCount: 1 })
    expect([await exists(orphan), await exists(derivedObjectName('preview', orphan))]).toEqual([true, true])
  })

  test('more files than a crash leaves, as after an old copy was put back', async () => {
    await row('known.png')
    const many = withLeftovers(21)
    await put(...many)
    expect(await sweep(at(LATER))).toMatchObject({ removedNames: [], heldBackCount: 21 })
    expect(await exists(many[0]!)).toBe(true)
    // One object fewer can still be the leftovers of a crash.
    await storage.remove(many.pop()!)
    expect(await sweep(at(LATER))).toMatchObject({ removedNames: expect.any(Array), heldBackCount: 0 })
    expect(await exists(many[0]!)).toBe(false)
  })

  test('earlier names of living files are no loss, however many', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, async (_, nr) => /~([0-9a-z]+)/.exec((await row(`${nr}.png`)).object)![1]!),
    )
    await put(...ids.map((id, nr) => objectName(`before/${nr}.png`, id)))
    expect((await sweep(at(LATER))).removedNames).toHaveLength(30)
  })
})

describe('what is kept', () => {
  test('everything that a row owns', async () => {
    const { object } = await row('a.png', 'done', { variant: 5, preview: 6 })
    const all = [object, derivedObjectName('variant', object), derivedObjectName('preview', object)]
    await put(...all)
    expect(await sweep(at(LATER))).toEqual({
      removedNames: [],
      heldBackCount: 0,
      missing: [],
      missingInTrash: [],
    })
    for (const name of all) expect(await exists(name)).toBe(true)
  })

  test('what is being made for a row, before the row names it', async () => {
    const { object } = await row('a.png', 'pending')
    await put(derivedObjectName('variant', object), derivedObjectName('preview', object))
    expect((await sweep(at(LATER))).removedNames).toEqual([])
    await database.transaction(tx => tx.updateTable('media').set({ derived: 'failed' }).execute())
    expect((await sweep(at(LATER))).removedNames).toHaveLength(2)
  })

  test('names that a file on the relocation list is about to get', async () => {
    const { nr, object } = await row('a.png')
    const target = objectName('b.png', /~([0-9a-z]+)/.exec(object)![1]!, newId(6))
    await put(target)
    await database.transaction(tx => tx.insertInto('relocation').values({ media_nr: nr }).execute())
    expect((await sweep(at(LATER))).removedNames).toEqual([])
    await database.transaction(tx => tx.deleteFrom('relocation').execute())
    expect((await sweep(at(LATER))).removedNames).toEqual([target])
  })

  test.each([
    'files/readme.txt',
    'files/x/photo.jpg',
    'files/notes.txt~',
    'files/.DS_Store',
    'thumbs/Thumbs.db',
    'backup/a~0123456789abcdef.png',
    'fundus-copy.db',
  ])('a foreign file: %s', async name => {
    await put(name)
    expect((await sweep(at(LATER))).removedNames).toEqual([])
    expect(await exists(name)).toBe(true)
  })

  test.each([
    'files/photo~2.jpg',
    'files/x/REPORT~1.TXT',
    'files/backup~old.zip',
    'files/a b~0123456789abcdef.txt',
  ])('a foreign file whose name only resembles ours: %s', async name => {
    await put(name)
    expect((await sweep(at(LATER))).removedNames).toEqual([])
    expect(await exists(name)).toBe(true)
  })
})

describe('a file whose object is gone', () => {
  test('is reported by its path, and its row stays', async () => {
    const lost = await row('x/lost.png')
    await row('x/fine.png')
    await storage.remove(lost.object)
    const lostOne = { removedNames: [], heldBackCount: 0, missing: ['x/lost.png'], missingInTrash: [] }
    expect(await sweep(at(0))).toEqual(lostOne)
    expect(await sweep(at(LATER))).toEqual(lostOne)
    expect(database.servedFile('x/lost.png')).not.toBeNull()
  })

  test('is not reported when it was deleted or moved while the sweep looked', async () => {
    const gone = await row('gone.png')
    const moved = await row('moved.png')
    const target = objectName('elsewhere.png', newId())
    await put(target)
    const measure: typeof storage.measure = async name => {
      if (name === gone.object)
        await database.transaction(tx => tx.deleteFrom('media').where('nr', '=', gone.nr).execute())
      if (name === moved.object)
        await database.transaction(tx =>
          tx.updateTable('media').set({ object: target }).where('nr', '=', moved.nr).execute(),
        )
      return name === gone.object || name === moved.object ? null : storage.measure(name)
    }
    expect((await sweep({ ...at(0), storage: { ...storage, measure } })).missing).toEqual([])
  })
})

test('staged bytes that nobody writes to any more go too, fresh ones stay', async () => {
  const fresh = await storage.stage()
  const old = await storage.stage()
  await utimes(await old.file(), 0, 0)
  await sweep(at(0))
  expect(await readdir(storage.scratch)).toHaveLength(1)
  await fresh.discard()
  await old.discard()
})
