import { afterAll, beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { newId } from '../../base/ids.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { useInstance } from '../../testing/instance.ts'
import { createDiscards } from './discards.ts'
import { findByPath } from './media.store.ts'
import { createMedia, type FileToStore } from './media.ts'
import { DISCARD_REPLACED, mediaParts } from './testing.ts'

const { storage, database, log } = await useInstance()
const now = () => 1000
const discards = createDiscards({ database, storage, coordination: noLeasesHeld, log, now, delay: 60_000 })
const parts = {
  ...mediaParts(DISCARD_REPLACED),
  database,
  storage,
  discards,
  newId,
  now,
  isDerivable: () => false,
  onStored: () => {},
}
const media = createMedia(parts)

afterAll(async () => {
  await discards.stop()
})

const PATH = 'uploads/a.bin'
const BYTES = 'the same bytes'
const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const objects = async () => (await Array.fromAsync(storage.list('files/'))).map(({ name }) => name)
const discarded = async () =>
  (await database.read.selectFrom('discard').select('object').execute()).map(({ object }) => object)

async function upload(text: string, given: Partial<FileToStore> = {}): Promise<string> {
  const staging = await storage.stage()
  try {
    await staging.write(Buffer.from(text))
    const facts = { path: PATH, size: text.length, sha256: sha256(text), mime: 'text/plain' }
    return (await media.store({ ...facts, staging, actor: 'service', overwrite: 'equal', ...given })).id
  } finally {
    await staging.discard()
  }
}
const take = (id: string) => media.removeId(id, 'service', () => {})

async function clear(): Promise<void> {
  await database.transaction(async tx => {
    for (const table of ['media', 'discard', 'upload_id'] as const) await tx.deleteFrom(table).execute()
  })
  for (const name of await objects()) await storage.remove(name)
}
beforeEach(clear)

test('many identical ones at once: one object is left and nothing is discarded', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => upload(BYTES)))
  expect(new Set(ids).size).toBe(20)
  expect(await objects()).toEqual([(await findByPath(database.read, PATH))!.object])
  expect(await discarded()).toEqual([])
})

test('an object that is not whole is replaced, and those who hold an id keep it', async () => {
  const ids = [await upload(BYTES), await upload(BYTES)]
  const { object } = (await findByPath(database.read, PATH))!
  await storage.remove(object)
  ids.push(await upload(BYTES))
  expect(await discarded()).toEqual([object])
  for (const id of ids) {
    expect(await findByPath(database.read, PATH)).not.toBeNull()
    expect(await take(id)).toBe(true)
  }
  expect(await findByPath(database.read, PATH)).toBeNull()
})

test('a refusal takes nothing away', async () => {
  const ids = [await upload(BYTES), await upload(BYTES)]
  const refuse = () => {
    throw new Error('not yours')
  }
  for (const id of ids) await expect(media.removeId(id, 'service', refuse)).rejects.toThrow('not yours')
  for (const id of ids) expect(await take(id)).toBe(true)
})

/** Each step has a number that chooses among the ids assigned so far. */
type Step = readonly ['same' | 'retyped' | 'overwritten' | 'removed' | 'taken', number]
const steps = fc.array(
  fc.tuple(fc.constantFrom('same', 'same', 'retyped', 'overwritten', 'removed', 'taken', 'taken'), fc.nat()),
  { maxLength: 14 },
) as fc.Arbitrary<Step[]>

test('whatever happens: the file is there as long as an id of it counts, and no row outlives it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async sequence => {
      await clear()
      const given: string[] = []
      let living = new Set<string>()
      for (const [step, choice] of sequence) {
        if (step === 'taken') {
          const id = given[choice % Math.max(given.length, 1)]
          if (id !== undefined) expect(await take(id)).toBe(living.delete(id))
        } else if (step === 'removed') {
          expect(await media.remove(PATH, 'service')).toBe(living.size > 0)
          living = new Set()
        } else {
          const others = step === 'overwritten'
          const mime = step === 'retyped' ? `text/x-${choice % 2}` : 'text/plain'
          const id = await upload(BYTES, others ? { overwrite: true } : { mime })
          if (others) living = new Set()
          living.add(id)
          given.push(id)
        }
        expect((await findByPath(database.read, PATH)) !== null).toBe(living.size > 0)
        const kept = await database.read.selectFrom('upload_id').select('id').execute()
        if (kept.length > 0) expect(new Set(kept.map(({ id }) => id))).toEqual(living)
      }
    }),
    { numRuns: 60 },
  )
})
