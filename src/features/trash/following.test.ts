/** Objects follow their rows into the trash and back; no concurrent change loses a file. */
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import type { Images } from '../../images/images.ts'
import { IncompleteRunError } from '../../jobs/job.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { derivedObjectName, parseObjectName } from '../../storage/names.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import type { Storage } from '../../storage/storage.ts'
import { NOTHING_LOST } from '../../testing/instance.ts'
import { sweep } from '../integrity/sweep.ts'
import { findByPath, objectsOf } from '../media/media.store.ts'
import { createRelocations } from '../media/relocations.ts'
import { createDerive } from '../previews/derive.ts'
import { openTrashInstance } from './testing.ts'

const world = await openTrashInstance()
const { database, storage, clock, discards, relocations, trash, root, log } = world
afterAll(() => world[Symbol.asyncDispose]())
afterEach(async () => {
  await trash.empty(undefined, 'service', WHOLE_LIBRARY)
  for (const { path } of await database.read.selectFrom('media').select('path').execute())
    await world.media.remove(path, 'service')
  clock.now += 1000
  await discards.run()
  expect(await world.listObjectNames()).toEqual([])
  expect(world.lines.splice(0)).toEqual([])
})

const row = async (path: string) => (await findByPath(database.read, path))!
async function derived(path: string): Promise<void> {
  const { object, nr } = await row(path)
  await Bun.write(join(root, derivedObjectName('variant', object)), 'variant')
  await Bun.write(join(root, derivedObjectName('preview', object)), 'preview')
  const sizes = { variant_size: 7, preview_size: 7 }
  await database.transaction(tx => tx.updateTable('media').set(sizes).where('nr', '=', nr).execute())
}
/** Removes the discarded objects now. */
async function pass(): Promise<void> {
  clock.now += 1000
  await discards.run()
}
const sweepAll = () =>
  sweep({
    database,
    storage,
    coordination: noLeasesHeld,
    lostChanges: NOTHING_LOST,
    now: () => Date.now() + 2 * SWEEP_AGE,
  })
/** Runs with a store that calls `happening` right after the first object was linked. */
function runWhile(happening: () => Promise<unknown>): Promise<number> {
  let relocate: Storage['relocate'] = async (from, to) => {
    relocate = storage.relocate
    await storage.relocate(from, to)
    await happening()
  }
  const watched = { ...storage, relocate: (from: string, to: string) => relocate(from, to) }
  return createRelocations({ database, storage: watched, discards, newId, log }).run()
}
const restore = async (nr: number) =>
  expect((await trash.restore([nr], 'service', { allowedArea: WHOLE_LIBRARY })).restoredFiles).toHaveLength(1)

describe('into the trash', () => {
  test('under a name with number, path and id; the preview beside it, the variant let go', async () => {
    await world.store('x/Y/a.png', 'content')
    await derived('x/Y/a.png')
    const before = await row('x/Y/a.png')
    const nr = await world.throwAway('x/Y/a.png')
    // Until its object has followed, the row names the old one.
    expect(await world.readObjectText((await world.findEntry(nr)).object)).toBe('content')
    expect(await relocations.run()).toBe(1)
    const { object, variant_size } = await world.findEntry(nr)
    expect(parseObjectName(object)).toEqual({
      role: 'original',
      id: before.id,
      path: 'x/Y/a.png',
      trashNr: nr,
    })
    expect(object).toStartWith(`trash/x/Y=1/${nr}~a~`)
    expect([
      await world.readObjectText(object),
      await world.readObjectText(derivedObjectName('preview', object)),
      variant_size,
    ]).toEqual(['content', 'preview', null])
    await pass()
    expect(await world.listObjectNames()).toEqual([object, derivedObjectName('preview', object)].sort())
    expect(await relocations.run()).toBe(0)
  })

  test('two from one path lie side by side', async () => {
    await world.store('a.png', 'first')
    const first = await world.throwAway('a.png')
    await world.store('a.png', 'second')
    const second = await world.throwAway('a.png')
    await relocations.run()
    await pass()
    const texts = [first, second].map(async nr => world.readObjectText((await world.findEntry(nr)).object))
    expect(await Promise.all(texts)).toEqual(['first', 'second'])
  })

  test('a file that was renamed and thrown away before it could follow goes straight there', async () => {
    await world.store('a.png', 'content')
    const { nr: mediaNr } = await row('a.png')
    await database.transaction(async tx => {
      await tx.updateTable('media').set({ path: 'b.png' }).where('nr', '=', mediaNr).execute()
      await tx.insertInto('relocation').values({ media_nr: mediaNr }).execute()
    })
    const nr = await world.throwAway('b.png')
    await relocations.run()
    expect(parseObjectName((await world.findEntry(nr)).object)).toMatchObject({ path: 'b.png', trashNr: nr })
    expect(await database.read.selectFrom('relocation').selectAll().execute()).toEqual([])
  })
})

describe('while it follows into the trash', () => {
  test('swept: what is being linked is nobody’s yet, and stays', async () => {
    await world.store('a.png', 'content')
    const nr = await world.throwAway('a.png')
    await runWhile(sweepAll)
    await pass()
    expect(await world.readObjectText((await world.findEntry(nr)).object)).toBe('content')
  })

  test('restored: it is back, and nothing of the move stays', async () => {
    await world.store('a.png', 'content')
    await derived('a.png')
    const nr = await world.throwAway('a.png')
    await runWhile(() => restore(nr))
    await pass()
    const back = await row('a.png')
    expect(await world.readObjectText(back.object)).toBe('content')
    expect(await world.listObjectNames()).toEqual(objectsOf(back).sort())
  })

  test('removed for good: nothing stays', async () => {
    await world.store('a.png', 'content')
    const nr = await world.throwAway('a.png')
    await runWhile(() => trash.empty([nr], 'service', WHOLE_LIBRARY))
    await pass()
    expect(await world.listObjectNames()).toEqual([])
  })

  test('followed by another instance too: one name stays', async () => {
    await world.store('a.png', 'content')
    const nr = await world.throwAway('a.png')
    await runWhile(() => relocations.run())
    await pass()
    const entry = await world.findEntry(nr)
    expect([await world.readObjectText(entry.object), await world.listObjectNames()]).toEqual([
      'content',
      [entry.object],
    ])
  })

  test('killed: the next run follows, and the sweep finds what is left', async () => {
    await world.store('a.png', 'content')
    const nr = await world.throwAway('a.png')
    const dying = { ...database, transaction: () => Promise.reject(new Error('killed')) }
    const killed = createRelocations({ database: dying, storage, discards, newId, log }).run()
    await expect(killed).rejects.toBeInstanceOf(IncompleteRunError)
    expect(world.lines.splice(0).join()).toContain('could not follow')
    expect(await world.readObjectText((await world.findEntry(nr)).object)).toBe('content')
    expect(await relocations.run()).toBe(1)
    await pass()
    expect((await sweepAll()).removedNames).toHaveLength(1)
    expect(await world.listObjectNames()).toEqual([(await world.findEntry(nr)).object])
  })
})

describe('out of the trash', () => {
  test('the object goes back under its path, with the preview', async () => {
    await world.store('x/a.png', 'content')
    await derived('x/a.png')
    const nr = await world.throwAway('x/a.png')
    await relocations.run()
    await restore(nr)
    expect(await world.readObjectText((await row('x/a.png')).object)).toBe('content')
    await relocations.run()
    await pass()
    const back = await row('x/a.png')
    expect(parseObjectName(back.object)).toEqual({ role: 'original', id: back.id, path: 'x/a.png' })
    expect(back).toMatchObject({ derived: 'pending', preview_size: 7, variant_size: null })
    expect(await world.listObjectNames()).toEqual(
      [back.object, derivedObjectName('preview', back.object)].sort(),
    )
  })

  test('restored before it could follow, it simply stays', async () => {
    await world.store('a.png', 'content')
    const { object } = await row('a.png')
    const nr = await world.throwAway('a.png')
    await restore(nr)
    await relocations.run()
    expect((await row('a.png')).object).toBe(object)
    expect(await database.read.selectFrom('relocation').selectAll().execute()).toEqual([])
  })

  test('there and back before anything was discarded, again and again', async () => {
    await world.store('a.png', 'content')
    for (let round = 0; round < 3; round++) {
      const nr = await world.throwAway('a.png')
      await relocations.run()
      await restore(nr)
      await relocations.run()
    }
    await pass()
    expect(await world.readObjectText((await row('a.png')).object)).toBe('content')
  })
})

describe('the sweep', () => {
  test('leaves the trash alone, and takes what nobody owns in its store', async () => {
    await world.store('a.png', 'content')
    await derived('a.png')
    const nr = await world.throwAway('a.png')
    await relocations.run()
    await pass()
    const owned = await world.listObjectNames()
    const orphan = `trash/${nr}~a~${newId()}.png`
    await Bun.write(join(root, orphan), 'nobody’s')
    await Bun.write(join(root, 'trash/readme.txt'), 'a foreign file')
    expect((await sweepAll()).removedNames).toEqual([orphan])
    expect(await world.listObjectNames()).toEqual([...owned, 'trash/readme.txt'].sort())
    await storage.remove('trash/readme.txt')
  })

  test('names what has lost its object, each of two from one path by its number', async () => {
    const numbers: number[] = []
    for (const text of ['first', 'second', 'third']) {
      await world.store('x/a.png', text)
      numbers.push(await world.throwAway('x/a.png'))
    }
    await relocations.run()
    await pass()
    expect((await sweepAll()).missingInTrash).toEqual([])
    await storage.remove((await world.findEntry(numbers[1]!)).object)
    const { missing, missingInTrash } = await sweepAll()
    expect([missing, missingInTrash]).toEqual([[], [{ nr: numbers[1]!, path: 'x/a.png' }]])
    await trash.empty([numbers[1]!], 'service', WHOLE_LIBRARY)
    expect((await sweepAll()).missingInTrash).toEqual([])
  })

  test('does not name what is restored or follows while it looks', async () => {
    await world.store('a.png', 'content')
    const nr = await world.throwAway('a.png')
    await relocations.run()
    await pass()
    const { object } = await world.findEntry(nr)
    const measure: Storage['measure'] = async name => {
      if (name !== object) return storage.measure(name)
      await restore(nr)
      await relocations.run()
      await pass()
      return storage.measure(name)
    }
    const swept = await sweep({
      database,
      storage: { ...storage, measure },
      coordination: noLeasesHeld,
      lostChanges: NOTHING_LOST,
      now: () => Date.now(),
    })
    expect([await world.readObjectText(object), swept.missingInTrash]).toEqual([null, []])
  })

  /** With one query for the library and another for the trash, the file would be found in neither. */
  test.each(['throwAway', 'restore'] as const)('%s between two of its looks costs nothing', async what => {
    await world.store('a.png', 'content')
    let nr = 0
    if (what === 'restore') nr = await world.throwAway('a.png')
    await relocations.run()
    await pass()
    let act: (() => Promise<unknown>) | null = () =>
      what === 'restore' ? restore(nr) : world.throwAway('a.png')
    const read = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const once = act
        act = null
        await once?.()
        return result
      },
    })
    const { removedNames } = await sweep({
      database: { ...database, read },
      storage,
      coordination: noLeasesHeld,
      lostChanges: NOTHING_LOST,
      now: () => Date.now() + 2 * SWEEP_AGE,
    })
    expect([removedNames, act === null]).toEqual([[], true])
    const [owner] = [
      ...(await database.read.selectFrom('media').select('object').execute()),
      ...(await database.read.selectFrom('trash').select('object').execute()),
    ]
    expect(await world.readObjectText(owner!.object)).toBe('content')
  })
})

describe('thrown away while its preview is being made', () => {
  /** Derives a file; `happening` runs when everything is made and nothing is recorded yet. */
  async function deriveWhile(path: string, happening: () => Promise<unknown>): Promise<void> {
    const images: Images = {
      async derive({ scratch }) {
        const file = join(scratch, newId())
        await Bun.write(file, 'newly made')
        await happening()
        return { width: 3, height: 2, preview: { file, size: 10 } }
      },
      downscale: () => Promise.reject(new Error('nobody asked for this')),
      size: () => Promise.reject(new Error('nobody asked for this')),
      prioritize: () => {},
      encoder: () => '1',
      close: async () => {},
    }
    const { nr } = await row(path)
    await database.transaction(tx => tx.updateTable('media').set({ derived: 'pending' }).execute())
    await createDerive({ database, storage, images, discards, newId, now: Date.now, log })(nr, {
      client: '',
      isAwaited: false,
    })
  }

  test('the entry has it, also after what was let go is gone', async () => {
    await world.store('a.png', 'content')
    let nr = 0
    await deriveWhile('a.png', async () => {
      nr = await world.throwAway('a.png')
    })
    await pass()
    const entry = await world.findEntry(nr)
    expect(entry).toMatchObject({ preview_size: 10, width: 3, height: 2 })
    expect(await world.readObjectText(derivedObjectName('preview', entry.object, entry.preview_mark))).toBe(
      'newly made',
    )
  })

  test('and when it has followed already, what was made for the old name is let go', async () => {
    await world.store('a.png', 'content')
    let nr = 0
    await deriveWhile('a.png', async () => {
      nr = await world.throwAway('a.png')
      await relocations.run()
    })
    await pass()
    expect((await world.findEntry(nr)).preview_size).toBeNull()
    expect(await world.listObjectNames()).toEqual([(await world.findEntry(nr)).object])
  })

  test('thrown away and restored: the file that is back has it', async () => {
    await world.store('a.png', 'content')
    await deriveWhile('a.png', async () => restore(await world.throwAway('a.png')))
    await pass()
    const back = await row('a.png')
    expect(back).toMatchObject({ derived: 'done', preview_size: 10 })
    expect(await world.readObjectText(derivedObjectName('preview', back.object, back.preview_mark))).toBe(
      'newly made',
    )
  })
})
