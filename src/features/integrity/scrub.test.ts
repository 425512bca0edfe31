import { describe, expect, test } from 'bun:test'
import { rm, truncate } from 'node:fs/promises'
import { listFindings, saveCheckOutcomes } from './findings.store.ts'
import { sendFindings } from './findings-message.ts'
import { createRateLimit } from './rate-limit.ts'
import { readScrubState } from './scrub.store.ts'
import { createScrub, SCRUB_INTERVAL } from './scrub.ts'
import { type IntegrityInstance, openIntegrityInstance } from './testing.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const never = new AbortController().signal

/** A scrub with a clock of its own; `read` lists the objects in the order in which their bytes were read. */
function scrubOn(world: IntegrityInstance, options: { minBytesPerDay?: number } = {}) {
  let clock = 1_800_000_000_000
  const read: string[] = []
  const storage: typeof world.storage = {
    ...world.storage,
    async inspect(name) {
      const object = await world.storage.inspect(name)
      if (object) read.push(name)
      return object
    },
  }
  const make = () =>
    createScrub({
      ...world,
      storage,
      now: () => clock,
      limitRate: async () => {},
      minBytesPerDay: 1,
      ...options,
    })
  return {
    read,
    make,
    scrub: make(),
    now: () => clock,
    pass: (milliseconds: number) => {
      clock += milliseconds
    },
  }
}
const findings = async ({ database }: IntegrityInstance) =>
  (await listFindings(database.read, { limit: 100 })).findings.map(({ path, reason, place }) => [
    path,
    reason,
    place,
  ])

describe('thirty days', () => {
  test('read every object once, evenly, through restarts', async () => {
    await using world = await openIntegrityInstance()
    const objects: string[] = []
    for (let nr = 0; nr < 60; nr++)
      objects.push((await world.store(`d/${nr}.bin`, new Uint8Array(50_000).fill(nr))).object)
    await world.store('t.txt', 'trash')
    objects.push((await world.moveFileToTrash('t.txt')).object)
    const clock = scrubOn(world)
    const atDay: number[] = []
    for (let day = 0; day < 31; day++) {
      for (let slice = 0; slice < 4; slice++) {
        clock.pass(6 * HOUR)
        // A new scrub for each slice, like another process: its position is only in the database.
        await clock.make().readSlice(never)
      }
      atDay.push(clock.read.length)
    }
    expect(new Set(clock.read)).toEqual(new Set(objects))
    expect(atDay[9]).toBeWithin(16, 26)
    expect(atDay[19]).toBeWithin(36, 46)
    expect(atDay[27]).toBeLessThan(61)
    expect(atDay[30]).toBeWithin(61, 66)
    expect((await readScrubState(world.database.read)).completed_at).toBeWithin(
      clock.now() - 3 * DAY,
      clock.now() + 1,
    )
    expect(world.messages).toEqual([])
  })

  test('how often it runs changes nothing; a long pause is not made up in one go', async () => {
    await using world = await openIntegrityInstance()
    for (let nr = 0; nr < 60; nr++) await world.store(`${nr}.bin`, new Uint8Array(50_000).fill(nr))
    const clock = scrubOn(world)
    await clock.scrub.readSlice(never)
    for (let run = 0; run < 48; run++) {
      clock.pass(HOUR / 2)
      await clock.scrub.readSlice(never)
    }
    const afterDay = clock.read.length
    expect(afterDay).toBeWithin(2, 5)
    clock.pass(20 * DAY)
    await clock.scrub.readSlice(never)
    expect(clock.read.length - afterDay).toBeWithin(1, 5)
  })

  test('go on after a run with a clock that was ahead', async () => {
    await using world = await openIntegrityInstance()
    await world.store('a.bin', new Uint8Array(1000))
    const clock = scrubOn(world, { minBytesPerDay: 1e9 })
    clock.pass(365 * DAY)
    await clock.scrub.readSlice(never)
    clock.pass(-365 * DAY)
    const before = clock.read.length
    await clock.scrub.readSlice(never)
    expect(clock.read.length).toBeGreaterThan(before)
  })

  test('a small library is read more often', async () => {
    await using world = await openIntegrityInstance()
    for (let nr = 0; nr < 20; nr++) await world.store(`${nr}.txt`, 'small')
    const clock = scrubOn(world, { minBytesPerDay: 256 * 1024 * 1024 })
    clock.pass(SCRUB_INTERVAL)
    await clock.scrub.readSlice(never)
    expect(clock.read).toHaveLength(20)
    expect((await readScrubState(world.database.read)).completed_at).toBe(clock.now())
  })
})

describe('what it finds', () => {
  test('bytes that changed, objects that are shorter or gone, in library and trash; one message for all', async () => {
    await using world = await openIntegrityInstance()
    const rotten = await world.store('a/rotten.txt', 'rotten')
    const short = await world.store('b/short.txt', 'short')
    const gone = await world.store('c/gone.txt', 'gone')
    await world.store('fine.txt', 'fine')
    await world.store('trashed.txt', 'trashed')
    await world.corrupt((await world.moveFileToTrash('trashed.txt')).object)
    await world.corrupt(rotten.object)
    await truncate(world.at(short.object), 2)
    await rm(world.at(gone.object))
    const { scrub, pass } = scrubOn(world, { minBytesPerDay: 1e12 })
    await scrub.readSlice(never)
    expect(await findings(world)).toEqual([
      ['a/rotten.txt', 'content', 'media'],
      ['b/short.txt', 'size', 'media'],
      ['c/gone.txt', 'missing', 'media'],
      ['trashed.txt', 'content', 'trash'],
    ])
    expect(world.messages).toHaveLength(1)
    expect(world.messages[0]).toContain('4 gespeicherte Dateien sind nicht mehr in Ordnung')
    expect(world.messages[0]).toContain('a/rotten.txt: Der Inhalt der Datei hat sich verändert')
    expect(world.messages[0]).toContain('trashed.txt (im Papierkorb)')
    expect(world.messages[0]).not.toContain('fine.txt')
    // Known findings are not reported again, new ones are.
    pass(2 * HOUR)
    await scrub.readSlice(never)
    expect(world.messages).toHaveLength(1)
    await world.corrupt((await world.store('later.txt', 'later')).object)
    pass(2 * HOUR)
    await scrub.readSlice(never)
    expect(world.messages).toHaveLength(2)
    expect(world.messages[1]).toStartWith('Eine gespeicherte Datei ist nicht mehr in Ordnung:\nlater.txt')
  })

  test('is over when the file is healed, replaced or deleted', async () => {
    await using world = await openIntegrityInstance()
    const { database } = world
    const [healed, replaced, deleted] = await Promise.all(
      ['healed.txt', 'replaced.txt', 'deleted.txt'].map(path => world.store(path, path)),
    )
    for (const { object } of [healed!, replaced!, deleted!]) await world.corrupt(object)
    const { scrub, pass } = scrubOn(world, { minBytesPerDay: 1e12 })
    await scrub.readSlice(never)
    expect(await findings(world)).toHaveLength(3)
    await world.corrupt(healed!.object)
    await world.store('replaced.txt', 'new bytes')
    await database.transaction(tx => tx.deleteFrom('media').where('id', '=', deleted!.id).execute())
    // The last two are found at once, the first when it is checked again.
    expect(await findings(world)).toEqual([['healed.txt', 'content', 'media']])
    pass(2 * HOUR)
    await scrub.readSlice(never)
    expect(await findings(world)).toEqual([])
    expect(await database.read.selectFrom('finding').selectAll().execute()).toEqual([])
  })

  test('is none when the file was deleted or moved while it was read', async () => {
    await using world = await openIntegrityInstance()
    const { database, storage } = world
    const gone = await world.store('gone.txt', 'gone')
    const moved = await world.store('moved.txt', 'moved')
    await storage.relocate(moved.object, 'files/elsewhere~0123456789abcdef.txt')
    const inspect: typeof storage.inspect = async name => {
      if (name === gone.object) {
        await database.transaction(tx => tx.deleteFrom('media').where('nr', '=', gone.nr).execute())
        return null
      }
      if (name !== moved.object) return storage.inspect(name)
      await database.transaction(tx =>
        tx
          .updateTable('media')
          .set({ object: 'files/elsewhere~0123456789abcdef.txt' })
          .where('nr', '=', moved.nr)
          .execute(),
      )
      return null
    }
    const now = () => 1_800_000_000_000
    const parts = {
      ...world,
      storage: { ...storage, inspect },
      now,
      limitRate: async () => {},
      minBytesPerDay: 1e12,
    }
    await createScrub(parts).readSlice(never)
    expect(await findings(world)).toEqual([])
  })

  test('an error while reading counts only when it comes twice', async () => {
    await using world = await openIntegrityInstance()
    const { object } = await world.store('a.txt', 'a')
    for (const [failures, expected] of [
      [1, []],
      [9, [['a.txt', 'unreadable', 'media']]],
    ] as const) {
      let left: number = failures
      const inspect: typeof world.storage.inspect = async name => {
        if (name === object && left-- > 0) throw new Error('EIO')
        return world.storage.inspect(name)
      }
      const storage = { ...world.storage, inspect }
      const parts = { ...world, storage, limitRate: async () => {}, minBytesPerDay: 1e12 }
      await createScrub({ ...parts, now: () => 1_800_000_000_000 + failures * DAY }).readSlice(never)
      expect(await findings(world)).toEqual(expected as never)
    }
  })
})

describe('a whole check', () => {
  test('reads everything at once and says how far it is; the slow one goes on with a new round', async () => {
    await using world = await openIntegrityInstance()
    for (let nr = 0; nr < 120; nr++) await world.store(`${nr}.txt`, String(nr))
    const { scrub, read } = scrubOn(world)
    const progress: number[] = []
    await scrub.readEverything(never, ({ files }, total) => {
      progress.push(files)
      expect(total.files).toBe(120)
    })
    expect(read).toHaveLength(120)
    expect(progress).toContain(50)
    expect(Math.max(...progress)).toBe(120)
    expect(await readScrubState(world.database.read)).toMatchObject({
      place: 'media',
      after_nr: 0,
      round_files: 0,
    })
  })

  test('that is broken off keeps its place', async () => {
    await using world = await openIntegrityInstance()
    for (let nr = 0; nr < 120; nr++) await world.store(`${nr}.txt`, String(nr))
    const { scrub } = scrubOn(world)
    const stop = new AbortController()
    await scrub.readEverything(stop.signal, ({ files }) => files >= 50 && stop.abort())
    expect(await readScrubState(world.database.read)).toMatchObject({ round_files: 50, completed_at: null })
  })
})

test('the rate limit keeps below the rate, and does not wait for what was slow anyway', async () => {
  let clock = 0
  const slept: number[] = []
  const limitRate = createRateLimit({
    rate: 4 * 1024 * 1024,
    now: () => clock,
    sleep: async milliseconds => {
      slept.push(milliseconds)
      clock += milliseconds
    },
  })
  await limitRate(1024)
  expect(slept).toEqual([])
  await limitRate(4 * 1024 * 1024 - 1024)
  expect(slept).toEqual([1000])
  clock += 5000
  await limitRate(8 * 1024 * 1024)
  expect(slept).toEqual([1000])
})

test('one message reports all findings, those included that it only counts', async () => {
  await using world = await openIntegrityInstance()
  for (let nr = 0; nr < 7; nr++) {
    const { id } = await world.store(`m/${nr}.txt`, 'x')
    await world.database.transaction(tx => saveCheckOutcomes(tx, new Map([[id, 'missing']]), nr))
  }
  for (const _ of [1, 2]) await sendFindings(world)
  expect(world.messages).toEqual([
    expect.stringMatching(/^7 gespeicherte Dateien.*m\/6\.txt.*und 2 weitere/s),
  ])
})
