import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../../../test/support/wait.ts'
import { newId } from '../../base/ids.ts'
import {
  type DecodingFailure,
  type DerivedSet,
  type DeriveJob,
  type Images,
  ImagesError,
} from '../../images/images.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { derivedObjectName, objectName } from '../../storage/names.ts'
import { StorageUnavailableError } from '../../storage/storage.ts'
import { useInstance } from '../../testing/instance.ts'
import { createDiscards } from '../media/discards.ts'
import { deleteRows, findByNr, putRow } from '../media/media.store.ts'
import { createDerive, isDerivable } from './derive.ts'

const { root, storage, database, log, lines } = await useInstance()
const discards = createDiscards({
  database,
  storage,
  coordination: noLeasesHeld,
  log,
  now: () => 1000,
  delay: 3_000,
})
afterAll(() => discards.stop())
let clock = 1000
const now = () => clock
const parts = { database, storage, discards, newId, now, log }
beforeEach(async () => {
  for (const table of ['media', 'discard', 'lease'] as const)
    await database.transaction(tx => tx.deleteFrom(table).execute())
  lines.length = 0
})
/** Stores or overwrites a file; returns the row's number and the object's name. */
async function store(path: string, mime = 'image/png') {
  const id = newId()
  const object = objectName(path, id)
  await Bun.write(join(root, object), 'original')
  const file = { id, path, object, size: 8, sha256: 'f', mime, kind: 'bilder' as const, token_id: null }
  const nr = await database.transaction(tx =>
    putRow(tx, { ...file, created_at: 1, updated_at: 1, derived: 'pending' }),
  )
  return { nr, object }
}
/** A decoder that runs the given script: it may write files, change the world meanwhile, or fail. */
function fakeImages(script: (job: DeriveJob) => Promise<DerivedSet>): Images & { jobs: DeriveJob[] } {
  const jobs: DeriveJob[] = []
  return {
    jobs,
    async derive(job) {
      jobs.push(job)
      return script(job)
    },
    downscale: () => Promise.reject(new Error('nobody asked for this')),
    size: () => Promise.reject(new Error('nobody asked for this')),
    prioritize: () => {},
    encoder: part => `${part} encoder`,
    close: async () => {},
  }
}
async function write(job: DeriveJob, content: string) {
  const file = join(job.scratch, newId())
  await Bun.write(file, content)
  return { file, size: content.length }
}
const full = async (job: DeriveJob): Promise<DerivedSet> => ({
  width: 30,
  height: 20,
  variant: await write(job, 'variant'),
  preview: await write(job, 'preview'),
})
const requester = { client: 'a token', isAwaited: false }
const deriving = (images: Images) => {
  const derive = createDerive({ ...parts, images })
  return (nr: number) => derive(nr, requester)
}
const failing = (reason: DecodingFailure) => fakeImages(() => Promise.reject(new ImagesError(reason, 'no')))
const row = async (nr: number) => (await findByNr(database.read, nr))!
const discarded = async () =>
  (await database.read.selectFrom('discard').select('object').execute()).map(entry => entry.object).sort()
const text = async (name: string) => {
  const object = await storage.open(name)
  return object && new TextDecoder().decode(await object.bytes())
}

describe('what is made', () => {
  test('gets its names and stands in the row, and nothing is left in scratch', async () => {
    const { nr, object } = await store('a/b.png')
    const images = fakeImages(full)
    await deriving(images)(nr)
    expect(await row(nr)).toMatchObject({
      derived: 'done',
      width: 30,
      height: 20,
      variant_size: 7,
      preview_size: 7,
    })
    const { variant_mark, preview_mark } = await row(nr)
    expect(await text(derivedObjectName('variant', object, variant_mark))).toBe('variant')
    expect(await text(derivedObjectName('preview', object, preview_mark))).toBe('preview')
    expect(images.jobs).toMatchObject([{ mime: 'image/png', parts: ['variant', 'preview'], requester }])
    expect([await readdir(storage.scratch), await discarded()]).toEqual([[], []])
  })

  test('may be nothing but measures', async () => {
    const { nr, object } = await store('a.mp3', 'audio/mpeg')
    await deriving(fakeImages(async () => ({ duration: 1.5 })))(nr)
    expect(await row(nr)).toMatchObject({
      derived: 'done',
      duration: 1.5,
      variant_size: null,
      preview_size: null,
    })
    expect(await row(nr)).toMatchObject({ object, variant_mark: null, preview_mark: null })
  })

  test('is made once: what is done or given up is not tried again', async () => {
    const { nr } = await store('a.png')
    const images = fakeImages(full)
    await deriving(images)(nr)
    await deriving(images)(nr)
    await database.transaction(tx => tx.updateTable('media').set({ derived: 'failed' }).execute())
    await deriving(images)(nr)
    await deriving(images)(99_999)
    expect(images.jobs).toHaveLength(1)
  })

  test('a variant that was lost to the decoder is logged, the rest counts', async () => {
    const { nr } = await store('a.png')
    const problem = new ImagesError('memory', 'too much')
    await deriving(fakeImages(async job => ({ preview: await write(job, 'p'), variantError: problem })))(nr)
    expect(await row(nr)).toMatchObject({ derived: 'done', variant_size: null, preview_size: 1 })
    expect(lines.join()).toContain('too much')
    expect((await row(nr)).variant_encoder).toBe('variant encoder')
    const crash = new ImagesError('crashed', 'gone')
    await store('a.png')
    await deriving(fakeImages(async () => ({ variantError: crash })))(nr)
    expect(await row(nr)).toMatchObject({ variant_encoder: null, preview_encoder: 'preview encoder' })
  })

  test.each([
    ['image/png', true],
    ['image/jpeg', true],
    ['image/webp', false],
    ['image/gif', false],
    ['video/mp4', false],
    // Media types have no case, and may have parameters (RFC 9110 section 8.3.1).
    ['Image/PNG', true],
    ['image/jpeg; q=1', true],
  ])('a variant of %s is asked for: %p', async (mime, wanted) => {
    const images = fakeImages(async () => ({}))
    await deriving(images)((await store('a.bin', mime)).nr)
    expect(images.jobs[0]?.parts.includes('variant')).toBe(wanted)
  })
})

describe('failures', () => {
  test('a decoder that crashed three times: given up, without a verdict on the picture', async () => {
    const { nr } = await store('a.png')
    const derive = deriving(failing('crashed'))
    const seen: unknown[] = []
    for (let time = 0; time < 3; time++) {
      await derive(nr)
      const { derived, derive_attempts } = await row(nr)
      seen.push([derived, derive_attempts])
    }
    expect(seen).toEqual([
      ['pending', 1],
      ['pending', 2],
      ['failed', 3],
    ])
    expect(lines).toHaveLength(3)
    expect(await row(nr)).toMatchObject({ variant_encoder: null, preview_encoder: null })
  })

  test.each(['refused', 'timeout', 'memory'] as const)(
    '%s: given up at once, with a verdict',
    async reason => {
      const { nr } = await store('a.png')
      const images = failing(reason)
      await deriving(images)(nr)
      await deriving(images)(nr)
      expect(await row(nr)).toMatchObject({
        derived: 'failed',
        preview_size: null,
        variant_encoder: 'variant encoder',
        preview_encoder: 'preview encoder',
      })
      expect(images.jobs).toHaveLength(1)
      await store('a.png')
      expect(await row(nr)).toMatchObject({ variant_encoder: null, preview_encoder: null })
    },
  )

  test('closed: stays pending, and does not count', async () => {
    const { nr } = await store('a.png')
    for (let time = 0; time < 4; time++) await deriving(failing('closed'))(nr)
    expect(await row(nr)).toMatchObject({ derived: 'pending', derive_attempts: 0 })
    await deriving(fakeImages(full))(nr)
    expect(await row(nr)).toMatchObject({ derived: 'done' })
  })

  test('the try is counted before it begins: what takes the whole process down is not tried for ever', async () => {
    const { nr } = await store('a.png')
    let during = -1
    const watching = async () => {
      during = (await row(nr)).derive_attempts
      return {}
    }
    await deriving(fakeImages(watching))(nr)
    expect(during).toBe(1)
  })

  test('while committing leave nothing in scratch, and the row without what is not there', async () => {
    const { nr } = await store('a.png')
    const broken = { ...storage, commit: () => Promise.reject(new Error('disk')) }
    await createDerive({ ...parts, storage: broken, images: fakeImages(full) })(nr, requester)
    expect(await row(nr)).toMatchObject({ derived: 'pending', variant_size: null, preview_size: null })
    expect(await readdir(storage.scratch)).toEqual([])
  })

  test('an object that is not there leaves the file pending', async () => {
    const { nr, object } = await store('a.png')
    await storage.remove(object)
    await deriving(fakeImages(full))(nr)
    expect(await row(nr)).toMatchObject({ derived: 'pending', variant_size: null })
  })
})

test('a store that does not answer is no failure of the file: it stays pending, and no try counts', async () => {
  const { nr } = await store('a.png')
  const silent = fakeImages(() => Promise.reject(new StorageUnavailableError('silent')))
  for (let tried = 0; tried < 5; tried++) await deriving(silent)(nr)
  expect(await row(nr)).toMatchObject({ derived: 'pending', derive_attempts: 0 })
})

describe('meanwhile', () => {
  /** The names of both derived files of this object, whatever mark the attempt gave them. */
  const derivedOf = (object: string) =>
    [derivedObjectName('variant', object, 'MARK'), derivedObjectName('preview', object, 'MARK')]
      .sort()
      .map(name => expect.stringMatching(new RegExp(`^${name.replace('MARK', '[0-9a-z]{6}')}$`)))
  const deriveWhile = (nr: number, happening: () => Promise<unknown>, then = full) =>
    deriving(fakeImages(job => happening().then(() => then(job))))(nr)

  test('overwritten: what was made is let go, and the new content is still to do', async () => {
    const { nr, object } = await store('a.png')
    await deriveWhile(nr, () => store('a.png'))
    expect(await discarded()).toEqual(derivedOf(object))
    expect(await row(nr)).toMatchObject({
      derived: 'pending',
      derive_attempts: 0,
      variant_size: null,
      width: null,
    })
  })

  test('overwritten while it fails: the new content has all its tries', async () => {
    const { nr } = await store('a.png')
    const refuse = () => Promise.reject(new ImagesError('refused', 'no'))
    await deriveWhile(nr, () => store('a.png'), refuse)
    expect(await row(nr)).toMatchObject({ derived: 'pending', derive_attempts: 0 })
  })

  test('deleted: what was made is let go', async () => {
    const { nr, object } = await store('a.png')
    await deriveWhile(nr, () => database.transaction(async tx => deleteRows(tx, [(await findByNr(tx, nr))!])))
    expect(await discarded()).toEqual(derivedOf(object))
    expect(await readdir(storage.scratch)).toEqual([])
  })

  test('relocated: what was made under the old name is let go, and the file is still to do', async () => {
    const { nr, object } = await store('a.png')
    await deriveWhile(nr, () =>
      database.transaction(tx => tx.updateTable('media').set({ object: 'files/b~x' }).execute()),
    )
    expect(await discarded()).toEqual(derivedOf(object))
    expect(await row(nr)).toMatchObject({ derived: 'pending', variant_size: null })
  })

  test('relocated, with its object there: it is made again under the new name, at once', async () => {
    const { nr, object } = await store('a.png')
    const moved = objectName('b.png', newId())
    await Bun.write(join(root, moved), 'original')
    await deriveWhile(nr, () =>
      database.transaction(tx => tx.updateTable('media').set({ object: moved }).execute()),
    )
    expect(await discarded()).toEqual(derivedOf(object))
    expect(await row(nr)).toMatchObject({ derived: 'done', derive_attempts: 1, preview_size: 7 })
    expect(await text(derivedObjectName('preview', moved, (await row(nr)).preview_mark))).toBe('preview')
  })
})

describe('two processes', () => {
  test('that take up the same file: one derives it, the other is told until when it is taken', async () => {
    const { nr } = await store('a.png')
    const gate = Promise.withResolvers<void>()
    const slow = fakeImages(job => gate.promise.then(() => full(job)))
    const other = fakeImages(full)
    const working = deriving(slow)(nr)
    await eventually('it is at work', () => slow.jobs.length > 0)
    expect(await deriving(other)(nr)).toBe(clock + 20_000)
    gate.resolve()
    expect(await working).toBeUndefined()
    expect(await deriving(other)(nr)).toBeUndefined()
    expect([slow.jobs.length, other.jobs.length]).toEqual([1, 0])
    expect(await row(nr)).toMatchObject({ derived: 'done', derive_attempts: 1 })
  })

  test('of which one died: the other takes its file up when the lease has ended, under other names', async () => {
    const { nr, object } = await store('a.png')
    const gate = Promise.withResolvers<DerivedSet>()
    const died = deriving(fakeImages(() => gate.promise))(nr)
    await eventually('it is taken', async () => (await row(nr)).derive_attempts === 1)
    expect(await deriving(fakeImages(full))(nr)).toBe(clock + 20_000)
    clock += 20_000
    expect(await deriving(fakeImages(full))(nr)).toBeUndefined()
    const { preview_mark, derived } = await row(nr)
    expect([derived, await text(derivedObjectName('preview', object, preview_mark))]).toEqual([
      'done',
      'preview',
    ])
    gate.reject(new Error('over'))
    await died
  })

  test('of which one was thought dead: what it makes too late is let go, and what was recorded stays', async () => {
    const { nr } = await store('a.png')
    const gate = Promise.withResolvers<void>()
    const late = deriving(fakeImages(job => gate.promise.then(() => full(job))))(nr)
    await eventually('it is taken', async () => (await row(nr)).derive_attempts === 1)
    clock += 20_000
    await deriving(fakeImages(full))(nr)
    const recorded = await row(nr)
    gate.resolve()
    await late
    expect(await row(nr)).toMatchObject({ ...recorded, derive_attempts: expect.any(Number) })
    const doomed = await discarded()
    expect(doomed).toHaveLength(2)
    expect(doomed).not.toContain(derivedObjectName('preview', recorded.object, recorded.preview_mark))
  })
})

test('something can be made of pictures, video and sound, however their type is spelt', () => {
  const given = ['image/png', 'video/mp4', 'audio/mpeg; x=y', 'text/plain', 'application/pdf', 'x-image/png']
  expect(given.filter(isDerivable)).toEqual(given.slice(0, 3))
  expect(['Image/PNG', 'VIDEO/mp4'].filter(isDerivable)).toHaveLength(2)
})
