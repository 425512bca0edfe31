import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually, nextTurn } from '../../../test/support/wait.ts'
import { newId } from '../../base/ids.ts'
import { IncompleteRunError } from '../../jobs/job.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { derivedObjectName, objectName, parseObjectName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import { useInstance } from '../../testing/instance.ts'
import { createDiscards } from './discards.ts'
import { deleteRows, discardObjects, findByPath, objectsOf, putRow } from './media.store.ts'
import { createRelocations } from './relocations.ts'

const { root, storage, database, log, lines } = await useInstance()
let clock = 1000
const discards = createDiscards({
  database,
  storage,
  coordination: noLeasesHeld,
  log,
  now: () => clock,
  delay: 100,
})
const parts = { database, storage, discards, newId, log }
const relocations = createRelocations(parts)

afterAll(async () => {
  await discards.stop()
})
beforeEach(async () => {
  await database.transaction(async tx => {
    for (const table of ['media', 'discard', 'relocation'] as const) await tx.deleteFrom(table).execute()
  })
  for (const name of await objects()) await storage.remove(name)
  lines.length = 0
})

const put = (name: string, content: string) => Bun.write(join(root, name), content)
/** Stores or overwrites a file as `media.ts` does. */
async function store(path: string, content: string): Promise<{ id: string }> {
  const id = newId()
  const object = objectName(path, id)
  await put(object, content)
  const file = { id, path, object, size: 1, sha256: 'f', mime: 'image/png', kind: 'bilder' as const }
  await database.transaction(async tx => {
    const earlier = await findByPath(tx, path)
    if (earlier) await discardObjects(tx, objectsOf(earlier), discards.dueAt())
    await putRow(tx, { ...file, token_id: null, created_at: 1, updated_at: 1, derived: 'done' })
  })
  return { id }
}
const remove = (path: string) =>
  database.transaction(async tx => {
    const row = (await findByPath(tx, path))!
    await deleteRows(tx, [row])
    await discardObjects(tx, objectsOf(row), discards.dueAt())
  })
type Sizes = { variant_size?: number; preview_size?: number }
/** Records variant and preview as made, or only one of them. */
async function derived(path: string, sizes: Sizes = { variant_size: 7, preview_size: 7 }): Promise<void> {
  const { object } = (await findByPath(database.read, path))!
  if (sizes.variant_size) await put(derivedObjectName('variant', object), 'variant')
  if (sizes.preview_size) await put(derivedObjectName('preview', object), 'preview')
  await database.transaction(tx => tx.updateTable('media').set(sizes).where('path', '=', path).execute())
}
/** Does what every rename does: the path changes and the file is put on the list, in one transaction. */
const rename = (from: string, to: string) =>
  database.transaction(async tx => {
    const { nr } = (await findByPath(tx, from))!
    await tx.updateTable('media').set({ path: to }).where('nr', '=', nr).execute()
    await tx.insertInto('relocation').orIgnore().values({ media_nr: nr }).execute()
  })
const objects = async () =>
  [...(await Array.fromAsync(storage.list('files/'))), ...(await Array.fromAsync(storage.list('thumbs/')))]
    .map(object => object.name)
    .sort()
const text = async (name: string) => {
  const object = await storage.open(name)
  return object && new TextDecoder().decode(await object.bytes())
}
const read = async (path: string) => text((await findByPath(database.read, path))!.object)
const waiting = () => database.read.selectFrom('relocation').selectAll().execute()
/** After all discarded objects are removed, the store holds exactly what the rows own. */
async function settle(): Promise<void> {
  clock += 1000
  await discards.run()
  const rows = await database.read.selectFrom('media').selectAll().execute()
  expect(await objects()).toEqual(rows.flatMap(objectsOf).sort())
}
/** Runs with a store that calls `happening` right after the first object was linked. */
function runWhile(happening: () => Promise<unknown>): Promise<number> {
  let relocate: Storage['relocate'] = async (from, to) => {
    relocate = storage.relocate
    await storage.relocate(from, to)
    await happening()
  }
  return createRelocations({
    ...parts,
    storage: { ...storage, relocate: (...names) => relocate(...names) },
  }).run()
}

test('in a store whose names do not follow paths, no object is touched and the list is emptied', async () => {
  await store('a.png', 'content')
  await derived('a.png')
  const before = await objects()
  await rename('a.png', 'b.png')
  const relocate = () => Promise.reject(new Error('never called'))
  const fixed: Storage = { ...storage, namesFollowPaths: false, relocate }
  expect(await createRelocations({ ...parts, storage: fixed }).run()).toBe(0)
  expect([await read('b.png'), await waiting(), await objects()]).toEqual(['content', [], before])
})

describe('an object follows its path', () => {
  test('with its variant and preview, and the old names go', async () => {
    const { id } = await store('old/a.png', 'content')
    await derived('old/a.png')
    const before = (await findByPath(database.read, 'old/a.png'))!.object
    await rename('old/a.png', 'new/deep/B.jpg')
    expect([await read('new/deep/B.jpg'), await relocations.run()]).toEqual(['content', 1])
    const { object } = (await findByPath(database.read, 'new/deep/B.jpg'))!
    expect(parseObjectName(object)).toEqual({ role: 'original', id, path: 'new/deep/B.jpg' })
    expect(await text(object)).toBe('content')
    expect([
      await text(derivedObjectName('variant', object)),
      await text(derivedObjectName('preview', object)),
    ]).toEqual(['variant', 'preview'])
    // A reader that has just read its row still finds the old object.
    expect(await text(before)).toBe('content')
    await settle()
    expect([await text(before), await read('new/deep/B.jpg'), await waiting()]).toEqual([null, 'content', []])
  })

  test('the row leads to an object at every step', async () => {
    await store('a.png', 'content')
    await derived('a.png')
    await rename('a.png', 'b.png')
    const seen: (string | null)[] = []
    const watched: Storage = {
      ...storage,
      async relocate(from, to) {
        seen.push(await read('b.png'))
        await storage.relocate(from, to)
        seen.push(await read('b.png'))
      },
    }
    await createRelocations({ ...parts, storage: watched }).run()
    seen.push(await read('b.png'))
    expect(seen).toEqual(Array.from({ length: 7 }, () => 'content'))
  })

  test('renamed there and back before the old name was discarded, nothing is lost', async () => {
    await store('a.png', 'content')
    for (let round = 0; round < 3; round++) {
      await rename('a.png', 'b.png')
      await relocations.run()
      await rename('b.png', 'a.png')
      await relocations.run()
    }
    await settle()
    expect(await read('a.png')).toBe('content')
  })

  test('renamed there and back before it could follow, it stays and is off the list', async () => {
    await store('a.png', 'content')
    const { object } = (await findByPath(database.read, 'a.png'))!
    await rename('a.png', 'b.png')
    await rename('b.png', 'a.png')
    await relocations.run()
    expect([(await findByPath(database.read, 'a.png'))!.object, await waiting()]).toEqual([object, []])
  })

  test('more than a batch is worked off in one go', async () => {
    const all = Array.from({ length: 105 }, (_, at) => at)
    await Promise.all(all.map(at => store(`many/${at}.png`, String(at))))
    await Promise.all(all.map(at => rename(`many/${at}.png`, `moved/${at}.png`)))
    await store('stays.png', 'content')
    const { object } = (await findByPath(database.read, 'stays.png'))!
    expect(await relocations.run()).toBe(105)
    expect([await read('moved/0.png'), await read('moved/104.png')]).toEqual(['0', '104'])
    expect(await waiting()).toEqual([])
    expect(await findByPath(database.read, 'stays.png')).toMatchObject({ object })
  })
})

describe('while it follows', () => {
  test('overwritten: the new content stays, and nothing of the move', async () => {
    await store('a.png', 'old')
    await rename('a.png', 'b.png')
    await runWhile(() => store('b.png', 'new'))
    expect(await read('b.png')).toBe('new')
    await relocations.run()
    await settle()
    expect([await read('b.png'), await waiting()]).toEqual(['new', []])
  })

  test('renamed again: the newest path wins', async () => {
    await store('a.png', 'content')
    await rename('a.png', 'b.png')
    await runWhile(() => rename('b.png', 'c.png'))
    expect(await read('c.png')).toBe('content')
    expect(await waiting()).toHaveLength(1)
    await relocations.run()
    await settle()
    expect(parseObjectName((await findByPath(database.read, 'c.png'))!.object)?.path).toBe('c.png')
  })

  test('deleted: nothing stays', async () => {
    await store('a.png', 'content')
    await rename('a.png', 'b.png')
    await runWhile(() => remove('b.png'))
    await settle()
    expect([await objects(), await waiting()]).toEqual([[], []])
  })

  test.each<Sizes>([{ variant_size: 7 }, { preview_size: 7 }])(
    'derived (%j): it follows later',
    async sizes => {
      await store('a.png', 'content')
      await rename('a.png', 'b.png')
      await runWhile(() => derived('b.png', sizes))
      await relocations.run()
      await settle()
      const { object } = (await findByPath(database.read, 'b.png'))!
      expect(
        await text(
          sizes.variant_size ? derivedObjectName('variant', object) : derivedObjectName('preview', object),
        ),
      ).not.toBeNull()
      expect([parseObjectName(object)?.path, await waiting()]).toEqual(['b.png', []])
    },
  )

  test('followed by another instance as well: one of the two names stays, the other is let go', async () => {
    await store('a.png', 'content')
    await rename('a.png', 'b.png')
    await runWhile(() => relocations.run())
    expect(await read('b.png')).toBe('content')
    await settle()
    expect(await read('b.png')).toBe('content')
  })
})

describe('kicked', () => {
  const inPlace = async (path: string) =>
    parseObjectName((await findByPath(database.read, path))!.object)?.path === path

  test('a run starts soon, once for many kicks', async () => {
    let runs = 0
    const counting = createRelocations({
      ...parts,
      database: {
        ...database,
        get read() {
          runs++
          return database.read
        },
      },
    })
    await store('a.png', 'content')
    await rename('a.png', 'b.png')
    for (let kick = 0; kick < 20; kick++) counting.kick()
    expect(await inPlace('b.png')).toBe(false)
    await eventually('it has moved', () => inPlace('b.png'))
    // A later kick moves later files.
    await rename('b.png', 'c.png')
    counting.kick()
    await eventually('it has moved again', () => inPlace('c.png'))
    // A few queries of the lists, not one per kick.
    expect(runs).toBeLessThan(12)
    await counting.stop()
    await settle()
  })

  test('stopped in the middle: the file at work is done, the others stay on the list', async () => {
    for (let at = 0; at < 5; at++) {
      await store(`${at}.png`, String(at))
      await rename(`${at}.png`, `moved/${at}.png`)
    }
    let stopped: Promise<void> | undefined
    const stopping = createRelocations({
      ...parts,
      storage: {
        ...storage,
        async relocate(from, to) {
          await storage.relocate(from, to)
          stopped ??= stopping.stop()
        },
      },
    })
    expect(await stopping.run()).toBe(1)
    await stopped
    expect(await waiting()).toHaveLength(4)
    stopping.kick()
    await nextTurn()
    expect(await waiting()).toHaveLength(4)
    expect(await relocations.run()).toBe(4)
    await settle()
  })
})

describe('trouble', () => {
  test('a missing object is logged and kept on the list, and the others follow all the same', async () => {
    await store('lost.png', 'lost')
    await store('fine.png', 'fine')
    await storage.remove((await findByPath(database.read, 'lost.png'))!.object)
    await rename('lost.png', 'lost2.png')
    await rename('fine.png', 'fine2.png')
    await expect(relocations.run()).rejects.toBeInstanceOf(IncompleteRunError)
    expect(lines.join()).toContain('could not follow')
    expect(await waiting()).toHaveLength(1)
    expect(parseObjectName((await findByPath(database.read, 'fine2.png'))!.object)?.path).toBe('fine2.png')
  })

  test('a crash between linking and the row: the next run follows, the row never pointed nowhere', async () => {
    await store('a.png', 'content')
    await rename('a.png', 'b.png')
    const dying = { ...database, transaction: () => Promise.reject(new Error('killed')) }
    await expect(createRelocations({ ...parts, database: dying }).run()).rejects.toBeInstanceOf(
      IncompleteRunError,
    )
    expect([await read('b.png'), await relocations.run()]).toEqual(['content', 1])
    expect(parseObjectName((await findByPath(database.read, 'b.png'))!.object)?.path).toBe('b.png')
  })
})
