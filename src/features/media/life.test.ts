/**
 * Storing, renaming, deriving, deleting and their follow-up work, in any order: no file is ever lost, and no
 * object is left over.
 */
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { newId } from '../../base/ids.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { derivedObjectName } from '../../storage/names.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import { NOTHING_LOST, useInstance } from '../../testing/instance.ts'
import { sweep } from '../integrity/sweep.ts'
import { createDiscards } from './discards.ts'
import { findByPath, objectsOf } from './media.store.ts'
import { createMedia } from './media.ts'
import { createRelocations } from './relocations.ts'
import { DISCARD_REPLACED, mediaParts } from './testing.ts'

const { root, storage, database, log, lines } = await useInstance({ level: 'warn' })
let clock = 1000
const now = () => clock
const discards = createDiscards({
  database,
  storage,
  coordination: noLeasesHeld,
  log,
  now,
  delay: 100,
})
const relocations = createRelocations({ database, storage, discards, newId, log })
const media = createMedia({
  ...mediaParts(DISCARD_REPLACED),
  database,
  storage,
  discards,
  newId,
  now,
  isDerivable: () => false,
  onStored: () => {},
})
afterAll(async () => {
  await discards.stop()
})

/** The expected files: path → content. */
type Model = Map<string, string>

const PATHS = ['a.png', 'A.png', 'x/a.png', 'X/a.png', 'con/b.', 'b'] as const
const path = fc.constantFrom(...PATHS)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('store' as const), path }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('rename' as const), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('derive' as const), path }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), path }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('follow' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('discard' as const), passed: fc.nat(200) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('sweep' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

let contents = 0
async function store(model: Model, target: string): Promise<void> {
  const text = `content ${contents++}`
  const staging = await storage.stage()
  await staging.write(new TextEncoder().encode(text))
  const file = {
    path: target,
    staging,
    size: text.length,
    sha256: Bun.SHA256.hash(text, 'hex'),
    mime: 'image/png',
  }
  await media.store({ ...file, actor: 'service', overwrite: true })
  model.set(target, text)
}
async function rename(model: Model, from: string, to: string): Promise<void> {
  if (!model.has(from) || model.has(to)) return
  await database.transaction(async tx => {
    const { nr } = (await findByPath(tx, from))!
    await tx.updateTable('media').set({ path: to }).where('nr', '=', nr).execute()
    await tx.insertInto('relocation').orIgnore().values({ media_nr: nr }).execute()
  })
  model.set(to, model.get(from)!)
  model.delete(from)
}
async function derive(target: string): Promise<void> {
  const row = await findByPath(database.read, target)
  if (!row) return
  for (const name of [derivedObjectName('variant', row.object), derivedObjectName('preview', row.object)])
    await Bun.write(join(root, name), 'derived')
  const sizes = { variant_size: 7, preview_size: 7 }
  await database.transaction(tx => tx.updateTable('media').set(sizes).where('nr', '=', row.nr).execute())
}
async function take(model: Model, one: Step): Promise<unknown> {
  switch (one.does) {
    case 'store':
      return store(model, one.path)
    case 'rename':
      return rename(model, one.path, one.to)
    case 'derive':
      return derive(one.path)
    case 'remove':
      expect(await media.remove(one.path, 'service')).toBe(model.delete(one.path))
      return
    case 'follow':
      return relocations.run()
    case 'discard':
      clock += one.passed
      return discards.run()
    case 'sweep':
      return sweep({
        database,
        storage,
        coordination: noLeasesHeld,
        lostChanges: NOTHING_LOST,
        now: () => Date.now() + 2 * SWEEP_AGE,
      })
  }
}

const rows = () => database.read.selectFrom('media').selectAll().orderBy('path').execute()
/** Every file can be read with its own content, and so can all derived files that its row names. */
async function checkReadable(model: Model): Promise<void> {
  const found: [string, string][] = []
  for (const row of await rows()) {
    const [original, ...derived] = await Promise.all(objectsOf(row).map(name => storage.open(name)))
    found.push([row.path, original ? new TextDecoder().decode(await original.bytes()) : 'is lost'])
    expect(derived.every(object => object !== null)).toBe(true)
  }
  expect(new Map(found)).toEqual(model)
}
async function objects(): Promise<string[]> {
  const listed = [
    ...(await Array.fromAsync(storage.list('files/'))),
    ...(await Array.fromAsync(storage.list('thumbs/'))),
  ]
  return listed.map(object => object.name).sort()
}

test('whatever happens, in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async steps => {
      const model: Model = new Map()
      for (const one of steps) {
        await take(model, one)
        await checkReadable(model)
      }
      await relocations.run()
      clock += 1000
      await discards.run()
      await checkReadable(model)
      expect(await objects()).toEqual((await rows()).flatMap(objectsOf).sort())
      expect(await database.read.selectFrom('relocation').selectAll().execute()).toEqual([])
      for (const { path: left } of await rows()) await media.remove(left, 'service')
      clock += 1000
      await discards.run()
      expect(await objects()).toEqual([])
    }),
    { numRuns: 20 },
  )
  expect(lines).toEqual([])
})
