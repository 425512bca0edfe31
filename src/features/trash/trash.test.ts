import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { MEGABYTE } from '../../contract/values/units.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import { tokenWith } from '../../testing/token.ts'
import { findByPath } from '../media/media.store.ts'
import { createRetrievals } from '../retrievals/retrievals.ts'
import { usageOf } from '../tokens/tokens.store.ts'
import { openTrashInstance } from './testing.ts'
import { trashTotal } from './trash.store.ts'

const DAY = 24 * 60 * 60 * 1000
/** Has room for a thousand bytes. */
const world = await openTrashInstance({ PAPIERKORB_MAX_MB: String(1000 / MEGABYTE) })
const { database, clock, trash, discards } = world
const anna = { account: 'anna' }
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  await database.transaction(async tx => {
    for (const table of ['media', 'trash', 'relocation', 'discard', 'history'] as const)
      await tx.deleteFrom(table).execute()
  })
  world.restored.length = 0
})

const row = (path: string) => findByPath(database.read, path)
async function thrownAway(path: string, text: string): Promise<number> {
  await world.store(path, text)
  return world.throwAway(path, anna)
}
const pathsInTrash = async () =>
  (await database.read.selectFrom('trash').select('nr').orderBy('nr').execute()).map(({ nr }) => nr)
const history = async (what: string) =>
  (await database.read.selectFrom('history').selectAll().orderBy('nr').execute())
    .filter(entry => entry.what === what)
    .map(({ path, who, bytes }) => ({ path, who, bytes }))

describe('restoring', () => {
  test('brings the row back as it was, with its number, count and token', async () => {
    await world.store('x/a.png', 'content', tokenWith({ id: 't1', name: 'shop' }))
    const counted = { retrievals: 12, retrieved_at: 5 }
    await database.transaction(tx => tx.updateTable('media').set(counted).execute())
    const before = (await row('x/a.png'))!
    const nr = await world.throwAway('x/a.png', anna)
    clock.now += 5000
    const { restoredFiles: restored, refusedEntries: refused } = await trash.restore([nr], anna, {
      allowedArea: WHOLE_LIBRARY,
    })
    expect([restored, refused]).toEqual([[{ nr, path: 'x/a.png', size: 7, mediaNr: before.nr }], []])
    expect(await row('x/a.png')).toEqual({
      ...before,
      derived: 'pending',
      placed_at: clock.now,
      restored_at: clock.now,
    })
    expect([world.restored, await pathsInTrash()]).toEqual([[before.nr], []])
    expect(await history('wiederhergestellt')).toEqual([{ path: 'x/a.png', who: 'anna', bytes: 7 }])
  })

  test('a taken path is refused and nothing is overwritten; free again, it works', async () => {
    const nr = await thrownAway('a.png', 'old')
    await world.store('a.png', 'new')
    const { restoredFiles: restored, refusedEntries: refused } = await trash.restore([nr], anna, {
      allowedArea: WHOLE_LIBRARY,
    })
    expect([restored, refused.map(each => [each.nr, each.reason.code])]).toEqual([[], [[nr, 'path-taken']]])
    expect([(await row('a.png'))?.sha256, await pathsInTrash()]).toEqual([
      Bun.SHA256.hash('new', 'hex'),
      [nr],
    ])
    expect(await history('wiederhergestellt')).toEqual([])
    await world.media.remove('a.png', anna)
    expect((await trash.restore([nr], anna, { allowedArea: WHOLE_LIBRARY })).restoredFiles).toHaveLength(1)
  })

  test('of two from one path the first named comes back, the other once the path is free again', async () => {
    const [first, second] = [await thrownAway('a.png', 'first'), await thrownAway('a.png', 'second')]
    const outcome = await trash.restore([second, first, second], anna, { allowedArea: WHOLE_LIBRARY })
    expect(outcome.restoredFiles.map(({ nr }) => nr)).toEqual([second])
    expect(outcome.refusedEntries.map(({ nr }) => nr)).toEqual([first])
    await database.transaction(tx => tx.updateTable('media').set({ path: 'b.png' }).execute())
    expect((await trash.restore([first], anna, { allowedArea: WHOLE_LIBRARY })).restoredFiles).toHaveLength(1)
    expect([(await row('a.png'))?.sha256, (await row('b.png'))?.sha256]).toEqual(
      ['first', 'second'].map(text => Bun.SHA256.hash(text, 'hex')),
    )
  })

  test('of two from one path the first named comes back also where both are in different transactions', async () => {
    const [first, second] = [await thrownAway('a.png', 'first'), await thrownAway('a.png', 'second')]
    const unknown = Array.from({ length: 500 }, (_, index) => second + 1 + index)
    const outcome = await trash.restore([second, ...unknown, first], anna, {
      allowedArea: WHOLE_LIBRARY,
      replace: true,
    })
    expect(outcome.restoredFiles.map(({ nr }) => nr)).toEqual([second])
    expect(outcome.refusedEntries.at(-1)).toMatchObject({ nr: first, reason: { code: 'path-taken' } })
    expect((await row('a.png'))?.sha256).toBe(Bun.SHA256.hash('second', 'hex'))
  })

  test('an unknown number is refused, the others come back', async () => {
    const nr = await thrownAway('a.png', 'content')
    const { restoredFiles: restored, refusedEntries: refused } = await trash.restore(
      [nr + 1000, nr, 0, -1],
      anna,
      { allowedArea: WHOLE_LIBRARY },
    )
    expect(restored.map(each => each.nr)).toEqual([nr])
    expect(refused.map(each => [each.nr, each.reason.code])).toEqual(
      [nr + 1000, 0, -1].map(number => [number, 'trash-entry-absent']),
    )
  })

  test('never fails for the quota, and the figures of the token follow', async () => {
    const token = tokenWith({ id: 't2', name: 'small', quota: 10 })
    const usage = () => usageOf(database.read, 't2')
    await world.store('a.png', '1234567890', token)
    const nr = await world.throwAway('a.png', anna)
    expect(await usage()).toMatchObject({ files: 0, bytes: 0 })
    await world.store('b.png', '1234567890', token)
    expect((await trash.restore([nr], anna, { allowedArea: WHOLE_LIBRARY })).refusedEntries).toEqual([])
    expect(await usage()).toMatchObject({ files: 2, bytes: 20 })
  })

  test('more than a batch, in one go', async () => {
    const numbers: number[] = []
    for (let at = 0; at < 230; at++) numbers.push(await thrownAway(`many/${at}.png`, 'x'))
    expect(
      (await trash.restore(numbers, anna, { allowedArea: WHOLE_LIBRARY })).restoredFiles.map(({ nr }) => nr),
    ).toEqual(numbers)
    expect([await pathsInTrash(), world.restored.length]).toEqual([[], 230])
  })
})

test('retrievals counted before, and written down after it was thrown away, come back with it', async () => {
  const retrievals = createRetrievals({ database, now: () => 77 })
  await world.store('a.png', 'content')
  const { nr: mediaNr } = (await row('a.png'))!
  retrievals.count(mediaNr)
  retrievals.count(mediaNr)
  const nr = await world.throwAway('a.png')
  await retrievals.flush()
  await trash.restore([nr], anna, { allowedArea: WHOLE_LIBRARY })
  expect(await row('a.png')).toMatchObject({ retrievals: 2, retrieved_at: 77 })
  retrievals.count(mediaNr)
  await retrievals.flush()
  expect(await row('a.png')).toMatchObject({ retrievals: 3 })
})

describe('emptying', () => {
  test('removes the given ones for good, with their objects, and passes over unknown ones', async () => {
    const [one, two] = [await thrownAway('a.png', 'content'), await thrownAway('b.png', 'more')]
    const { object } = await world.findEntry(one)
    expect(await trash.empty([one, one, 12345], anna, WHOLE_LIBRARY)).toEqual({ files: 1, bytes: 7 })
    expect(await pathsInTrash()).toEqual([two])
    clock.now += 1000
    await discards.run()
    expect([
      await world.readObjectText(object),
      await world.readObjectText((await world.findEntry(two)).object),
    ]).toEqual([null, 'more'])
    expect(await history('entfernt')).toEqual([{ path: 'a.png', who: 'anna', bytes: 7 }])
  })

  test('without numbers removes all of them, and an empty list none', async () => {
    for (let at = 0; at < 120; at++) await thrownAway(`many/${at}.png`, 'xx')
    expect(await trash.empty([], anna, WHOLE_LIBRARY)).toEqual({ files: 0, bytes: 0 })
    expect(await trash.empty(undefined, anna, WHOLE_LIBRARY)).toEqual({ files: 120, bytes: 240 })
    expect(await trash.empty(undefined, anna, WHOLE_LIBRARY)).toEqual({ files: 0, bytes: 0 })
  })
})

describe('the clean-up', () => {
  const cleanUp = () => trash.cleanUp()

  test('keeps an entry for 30 days, and not a moment longer', async () => {
    const nr = await thrownAway('a.png', 'content')
    clock.now += 30 * DAY
    expect([await cleanUp(), await pathsInTrash()]).toEqual([{ files: 0, bytes: 0 }, [nr]])
    clock.now += 1
    expect([await cleanUp(), await pathsInTrash()]).toEqual([{ files: 1, bytes: 7 }, []])
    expect(await history('entfernt')).toEqual([{ path: 'a.png', who: 'Fundus', bytes: 7 }])
  })

  test('counts from the deletion, not from the upload', async () => {
    await world.store('a.png', 'content')
    clock.now += 100 * DAY
    const nr = await world.throwAway('a.png')
    await cleanUp()
    expect(await pathsInTrash()).toEqual([nr])
  })

  test('above the cap the oldest go first, as few as it takes', async () => {
    const numbers: number[] = []
    for (const size of [300, 300, 300, 101]) {
      numbers.push(await thrownAway(`${numbers.length}.png`, 'x'.repeat(size)))
      clock.now += 1000
    }
    expect(await cleanUp()).toEqual({ files: 1, bytes: 300 })
    expect(await pathsInTrash()).toEqual(numbers.slice(1))
    expect(await cleanUp()).toEqual({ files: 0, bytes: 0 })
  })

  test('exactly at the cap nothing goes', async () => {
    await thrownAway('a.png', 'x'.repeat(1000))
    expect(await cleanUp()).toEqual({ files: 0, bytes: 0 })
    await thrownAway('b.png', 'x')
    expect(await cleanUp()).toEqual({ files: 1, bytes: 1000 })
  })

  test('the oldest is the one thrown away first, whatever its number', async () => {
    const [one, two] = [
      await thrownAway('a.png', 'x'.repeat(600)),
      await thrownAway('b.png', 'x'.repeat(600)),
    ]
    const later = { deleted_at: clock.now + 5 }
    await database.transaction(tx => tx.updateTable('trash').set(later).where('nr', '=', one).execute())
    await cleanUp()
    expect([await pathsInTrash(), two]).toEqual([[one], two])
  })

  test('a file that alone is above the cap goes too', async () => {
    await thrownAway('a.png', 'x'.repeat(2000))
    await cleanUp()
    expect(await pathsInTrash()).toEqual([])
  })

  test('far above the cap it works in batches, each one a transaction', async () => {
    for (let at = 0; at < 250; at++) await thrownAway(`many/${at}.png`, 'x'.repeat(10))
    expect(await cleanUp()).toEqual({ files: 150, bytes: 1500 })
    expect(await trashTotal(database.read)).toEqual({ files: 100, bytes: 1000 })
  })
})

test('the running figures are those that counting gives, whatever happened', async () => {
  const numbers = [await thrownAway('a.png', 'xxx'), await thrownAway('b.png', 'xx')]
  expect(await trashTotal(database.read)).toEqual({ files: 2, bytes: 5 })
  await trash.restore([numbers[0]!], anna, { allowedArea: WHOLE_LIBRARY })
  expect(await trashTotal(database.read)).toEqual({ files: 1, bytes: 2 })
  await trash.empty(undefined, anna, WHOLE_LIBRARY)
  expect(await trashTotal(database.read)).toEqual({ files: 0, bytes: 0 })
})
