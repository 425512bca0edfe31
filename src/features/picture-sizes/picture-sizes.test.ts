import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { DEFAULT_PICTURE_SIZES } from '../../contract/files/picture-sizes.ts'
import { MEGABYTE, MINUTE } from '../../contract/values/units.ts'
import { type DecodingFailure, type Images, ImagesError, type PictureSizeJob } from '../../images/images.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { objectName, parseObjectName } from '../../storage/names.ts'
import { useInstance } from '../../testing/instance.ts'
import { walkOrphans } from '../integrity/compare.ts'
import { createDiscards } from '../media/discards.ts'
import { deleteRows, findByPath, putRow } from '../media/media.store.ts'
import type { Settings } from '../settings/settings.ts'
import { createSizeFinder } from './find.ts'
import { createPictureMaker } from './make.ts'
import { createTrimmer } from './trimmer.ts'

const { root, storage, database, log } = await useInstance()
let clock = 1_000_000
const now = () => clock
const discards = createDiscards({ database, storage, coordination: noLeasesHeld, log, now, delay: 3_000 })
afterAll(() => discards.stop())

const values = { BILDGROESSEN: DEFAULT_PICTURE_SIZES, BILDGROESSEN_MAX_MB: 1 }
const settings = { current: () => values } as unknown as Settings

beforeEach(async () => {
  clock = 1_000_000
  values.BILDGROESSEN_MAX_MB = 1
  for (const table of ['media', 'picture_size', 'discard', 'lease'] as const)
    await database.transaction(tx => tx.deleteFrom(table).execute())
})

/** A decoder that writes `bytes` bytes, or fails. */
function fakeImages(work: { bytes?: number; failing?: DecodingFailure | 'undecodable'; slow?: number } = {}) {
  const jobs: PictureSizeJob[] = []
  const images = {
    encoder: () => '1',
    async size(job: PictureSizeJob) {
      jobs.push(job)
      await Bun.sleep(work.slow ?? 0)
      if (work.failing === 'undecodable') return null
      if (work.failing) throw new ImagesError(work.failing, 'for the test')
      const file = join(storage.scratch, newId())
      const size = work.bytes ?? 10
      await Bun.write(file, new Uint8Array(size).fill(jobs.length))
      return { file, size, type: 'image/webp' as const, width: 1, height: 1 }
    },
  } as unknown as Images
  return { images, jobs }
}

/** Stopped after each test: a run that was kicked would remove something in the next one. */
const trimmers: ReturnType<typeof createTrimmer>[] = []
afterEach(() => Promise.all(trimmers.splice(0).map(({ stop }) => stop())))

/** One process of the service. */
function process(images: Images) {
  const parts = { database, storage, discards, newId, now, log, settings, images }
  const trimmer = createTrimmer(parts)
  trimmers.push(trimmer)
  const sizes = createSizeFinder({ ...parts, trimmer, maker: createPictureMaker(parts) })
  return {
    trimmer,
    stop: sizes.stop,
    async ask(address: string, accept = 'image/webp', client = 'one') {
      const { find } = sizes.find({ address, accept, client })
      return (await find(undefined)).choice
    },
    find: sizes.find,
  }
}

async function store(path: string) {
  const id = newId()
  const object = objectName(path, id)
  await Bun.write(join(root, object), 'original')
  const file = { id, path, object, size: 8, sha256: 'f', mime: 'image/png', kind: 'bilder' as const }
  await database.transaction(tx =>
    putRow(tx, { ...file, token_id: null, created_at: 1, updated_at: 1, derived: 'done' }),
  )
  return id
}

const rows = () => database.read.selectFrom('picture_size').selectAll().orderBy('nr').execute()
const discarded = async () =>
  (await database.read.selectFrom('discard').select('object').execute()).map(({ object }) => object)

describe('made once', () => {
  test('for many at once in one process', async () => {
    await store('a.png')
    const { images, jobs } = fakeImages({ slow: 20 })
    const { ask } = process(images)
    const choices = await Promise.all(
      Array.from({ length: 50 }, (_, at) => ask('klein/a.png', 'image/webp', `c${at}`)),
    )
    expect(new Set(choices.map(choice => choice.object)).size).toBe(1)
    expect(jobs).toHaveLength(1)
    expect(await ask('klein/a.png')).toEqual(choices[0]!)
    expect(jobs).toHaveLength(1)
  })

  test('by two processes that are asked at the same time', async () => {
    await store('a.png')
    const { images, jobs } = fakeImages({ slow: 50 })
    const [one, other] = [process(images), process(images)]
    const [a, b] = await Promise.all([one.ask('klein/a.png'), other.ask('klein/a.png')])
    expect(a).toEqual(b)
    expect([jobs.length, (await rows()).length]).toEqual([1, 1])
  })

  test('each size and format for itself', async () => {
    await store('a.png')
    const { images, jobs } = fakeImages()
    const { ask } = process(images)
    for (const address of ['klein/a.png', 'mittel/a.png'])
      for (const accept of ['image/avif,image/webp', 'image/webp', '*/*']) await ask(address, accept)
    expect(jobs.map(({ size, format }) => `${size.breite} ${format}`)).toEqual([
      '320 avif',
      '320 webp',
      '320 plain',
      '960 avif',
      '960 webp',
      '960 plain',
    ])
    expect(parseObjectName((await rows())[0]!.object!)).toMatchObject({ role: 'size', path: 'a' })
  })
})

describe('what cannot be made', () => {
  test.each([
    ['refused', 'picture-damaged', 1],
    ['undecodable', 'picture-undecodable', 1],
    ['timeout', 'picture-costly', 2],
    ['memory', 'picture-costly', 2],
    ['crashed', 'size-not-ready', 2],
  ] as const)(
    '%s: %s; two sizes cost %d attempts, however often they are asked for',
    async (failing, code, attempts) => {
      await store('a.png')
      const { images, jobs } = fakeImages({ failing })
      const { ask } = process(images)
      for (const address of ['klein/a.png', 'mittel/a.png', 'klein/a.png', 'mittel/a.png'])
        expect(await ask(address).catch(error => error.code)).toBe(code)
      expect(jobs).toHaveLength(attempts)
    },
  )

  test('a lost decoder gets another chance later, since it may be the fault of the machine', async () => {
    await store('a.png')
    const { ask } = process(fakeImages({ failing: 'crashed' }).images)
    expect(await ask('klein/a.png').catch(error => error.code)).toBe('size-not-ready')
    clock += 11 * MINUTE
    const { images, jobs } = fakeImages()
    await process(images).ask('klein/a.png')
    expect(jobs).toHaveLength(1)
  })

  test('a closed decoder says nothing about the picture', async () => {
    await store('a.png')
    const { ask } = process(fakeImages({ failing: 'closed' }).images)
    expect(await ask('klein/a.png').catch(error => error.code)).toBe('size-not-ready')
    expect(await rows()).toEqual([])
  })
})

describe('gone with the file', () => {
  test.each([
    ['deleted', async () => deleteFile('a.png')],
    ['overwritten', async () => void (await store('a.png'))],
  ])('%s: the rows go in the same transaction, the objects onto the discard list', async (_, change) => {
    await store('a.png')
    await store('b.png')
    const { ask } = process(fakeImages().images)
    const [klein, mittel, other] = [
      await ask('klein/a.png'),
      await ask('mittel/a.png'),
      await ask('klein/b.png'),
    ]
    await change()
    expect((await rows()).map(({ object }) => object)).toEqual([other!.object])
    expect((await discarded()).toSorted()).toEqual([klein!.object, mittel!.object].toSorted())
    await discards.run()
    expect(await storage.measure(klein!.object)).toBeNull()
    expect(await storage.measure(other!.object)).toBe(10)
  })

  async function deleteFile(path: string) {
    const row = await findByPath(database.read, path)
    await database.transaction(tx => deleteRows(tx, [row!]))
  }

  test('while its picture is made: no row, and the object is discarded', async () => {
    await store('a.png')
    const { images } = fakeImages({ slow: 50 })
    const asking = process(images).ask('klein/a.png')
    await Bun.sleep(10)
    await deleteFile('a.png')
    await expect(asking).rejects.toMatchObject({ code: 'file-absent' })
    expect([await rows(), await discarded()]).toEqual([[], [expect.stringContaining('~b-')]])
  })

  test('an object without a row is an orphan, one with a row is not', async () => {
    await store('a.png')
    const { object } = await process(fakeImages().images).ask('klein/a.png')
    const left = object.replace(/~b-\w{6}/, '~b-zzzzzz')
    await Bun.write(join(root, left), 'left by a crash')
    const found: string[] = []
    for await (const some of walkOrphans({ database, storage, now: () => Date.now() + 10_000 }, 1))
      found.push(...some.map(({ name }) => name))
    const { id } = parseObjectName(object)!
    expect(found.filter(name => parseObjectName(name)?.id === id && name.includes('~b-'))).toEqual([left])
  })

  test('a picture whose object is lost is made anew', async () => {
    await store('a.png')
    const { images, jobs } = fakeImages()
    const { find } = process(images)
    const asked = find({ address: 'klein/a.png', accept: 'image/webp', client: 'one' })
    const { choice } = (await asked.find(undefined))!
    await storage.remove(choice.object)
    const again = (await asked.find(choice.object))!
    expect(again.choice.object).not.toBe(choice.object)
    expect([jobs.length, (await rows()).length]).toEqual([2, 1])
  })
})

describe('kept below the limit', () => {
  test('those that were not asked for the longest go first', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await store(`${name}.png`)
    const { ask, trimmer } = process(fakeImages({ bytes: 0.3 * MEGABYTE }).images)
    for (const name of ['a', 'b', 'c']) {
      await ask(`klein/${name}.png`)
      clock += 2 * MINUTE
    }
    // The oldest is asked for again, and is not the longest unasked any more.
    await ask('klein/a.png')
    await ask('klein/d.png')
    expect(await trimmer.run()).toBe(1)
    const kept = (await rows()).map(({ object }) => parseObjectName(object!)?.path)
    expect(kept).toEqual(['a', 'c', 'd'])
    expect(await discarded()).toEqual([expect.stringContaining('/b~')])
    values.BILDGROESSEN_MAX_MB = 0.31
    expect(await trimmer.run()).toBe(2)
    expect(await trimmer.run()).toBe(0)
  })
})

describe('bounded for each client', () => {
  test('who has too much waiting is refused, and others get theirs soon', async () => {
    for (let at = 0; at < 300; at++) await store(`${at}.png`)
    await store('other.png')
    const { images, jobs } = fakeImages({ slow: 5 })
    const { ask, stop } = process(images)
    const flood = Array.from({ length: 300 }, (_, at) =>
      ask(`klein/${at}.png`, 'image/webp', 'flood').then(
        () => 'made',
        error => error.code,
      ),
    )
    await Bun.sleep(1)
    await ask('klein/other.png', 'image/webp', 'somebody')
    expect(jobs.length).toBeLessThan(30)
    await stop()
    const outcomes = Map.groupBy(await Promise.all(flood), outcome => outcome)
    expect(outcomes.get('sizes-crowded')?.length).toBeGreaterThan(30)
    expect(outcomes.get('size-not-ready')?.length).toBeGreaterThan(0)
  })
})
