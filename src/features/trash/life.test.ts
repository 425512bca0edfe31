/**
 * Deleting, replacing, restoring and removing files, interleaved with renames, derived files, sweeps and
 * crashes: no file is ever lost, in the library or in the trash, and in the end no object is left over.
 */
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { isOrdinaryRun } from '../../../test/support/left-out.ts'
import { newId } from '../../base/ids.ts'
import type { Database } from '../../database/database.ts'
import { readHighestRowNumber } from '../../database/highest-number.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import type { Images } from '../../images/images.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import type { Storage } from '../../storage/storage.ts'
import { NOTHING_LOST } from '../../testing/instance.ts'
import { tokenWith } from '../../testing/token.ts'
import { sweep } from '../integrity/sweep.ts'
import { findByPath, type OwnerRow, objectsOf } from '../media/media.store.ts'
import { createRelocations } from '../media/relocations.ts'
import { createDerive } from '../previews/derive.ts'
import { openTrashInstance } from './testing.ts'

const world = await openTrashInstance()
const { database, storage, clock, discards, log, trash, media } = world
afterAll(() => world[Symbol.asyncDispose]())

interface Model {
  library: Map<string, string>
  trash: Map<number, { path: string; text: string }>
  /** Derivations in progress: `open` lets them finish. */
  deriving: { open: () => void; end: Promise<void> }[]
}

const PATHS = ['a.png', 'X/con.']
/** If the database has no files at all, the sweep assumes that its rows are lost and removes nothing. */
const UNTOUCHED = 'stays.txt'
const path = fc.constantFrom(...PATHS)
const which = fc.nat(3)
const simple = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant('store' as const), path, keeps: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('rename' as const), path, to: path }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('throwAway' as const), path }) },
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant('restore' as const), which, replaces: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('empty' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), path }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('derive' as const), path }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('beginDeriving' as const), path }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('endDeriving' as const) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('follow' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('crash' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('discard' as const), passed: fc.constantFrom(50, 150) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('sweep' as const) }) },
)
/**
 * Another step runs in the middle of following or sweeping, after `at` calls of the store or the database.
 */
const nested = fc.record({
  does: fc.constant('meanwhile' as const),
  outer: fc.constantFrom('follow' as const, 'sweep' as const),
  at: fc.nat(6),
  inner: fc.oneof(simple, fc.constantFrom({ does: 'sweep' as const }, { does: 'follow' as const })),
})
const step = fc.oneof({ weight: 3, arbitrary: simple }, { weight: 2, arbitrary: nested })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Runs once, after `left` more calls of the store or of the reading side of the database. */
let interruption: { left: number; act: () => Promise<unknown> } | null = null
async function countCall(): Promise<void> {
  if (!interruption || interruption.left-- > 0) return
  const { act } = interruption
  interruption = null
  await act()
}
const watchedStorage: Storage = {
  ...storage,
  async relocate(from, to) {
    await storage.relocate(from, to)
    await countCall()
  },
  async *list(prefix) {
    for await (const object of storage.list(prefix)) {
      yield object
      await countCall()
    }
  },
  async remove(name) {
    await countCall()
    await storage.remove(name)
  },
}
const watchedDatabase: Database = {
  ...database,
  read: database.read.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await countCall()
      return result
    },
  }),
}
const relocations = createRelocations({
  database: watchedDatabase,
  storage: watchedStorage,
  discards,
  newId,
  log,
})
const dying = createRelocations({
  database: { ...database, transaction: () => Promise.reject(new Error('killed')) },
  storage,
  discards,
  newId,
  log,
})
const sweepAll = () =>
  sweep({
    database: watchedDatabase,
    storage: watchedStorage,
    coordination: noLeasesHeld,
    lostChanges: NOTHING_LOST,
    now: () => Date.now() + 2 * SWEEP_AGE,
  })

let gate = Promise.resolve()
const images: Images = {
  async derive(job) {
    await gate
    const file = async (text: string) => {
      const name = join(job.scratch, newId())
      await Bun.write(name, text)
      return { file: name, size: text.length }
    }
    return { width: 1, height: 1, variant: await file('variant'), preview: await file('preview') }
  },
  downscale: () => Promise.reject(new Error('nobody asked for this')),
  size: () => Promise.reject(new Error('nobody asked for this')),
  prioritize: () => {},
  encoder: () => '1',
  close: async () => {},
}
const deriveFor = createDerive({ database, storage, images, discards, newId, now: Date.now, log })
const derive = async (nr: number) => void (await deriveFor(nr, { client: '', isAwaited: false }))

let contents = 0
const picked = ({ trash: entries }: Model, index: number) => [...entries.keys()][index % entries.size]

async function beginDeriving(model: Model, target: string): Promise<void> {
  const row = await findByPath(database.read, target)
  if (!row) return
  const again = { derived: 'pending' as const, derive_attempts: 0 }
  await database.transaction(tx => tx.updateTable('media').set(again).where('nr', '=', row.nr).execute())
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  model.deriving.push({ open: resolve, end: derive(row.nr) })
}
async function endDeriving(model: Model): Promise<void> {
  const ending = model.deriving.splice(0)
  for (const { open } of ending) open()
  for (const { end } of ending) await end
}
const newestEntry = () => readHighestRowNumber(database.read, 'trash')
async function store(model: Model, to: string, keeps: boolean): Promise<void> {
  const replaced = model.library.get(to)
  const text = `content ${contents++}`
  model.library.set(to, text)
  await world.store(to, text, tokenWith({ keepReplaced: keeps }))
  if (replaced !== undefined && keeps) model.trash.set(await newestEntry(), { path: to, text: replaced })
}
async function restore(model: Model, nr: number, replaces: boolean): Promise<void> {
  const { path: to, text } = model.trash.get(nr)!
  const present = model.library.get(to)
  const { restoredFiles: restored, refusedEntries: refused } = await trash.restore([nr], 'service', {
    allowedArea: WHOLE_LIBRARY,
    replace: replaces,
  })
  expect([restored.length, refused.length]).toEqual(present !== undefined && !replaces ? [0, 1] : [1, 0])
  if (refused.length > 0) return
  model.trash.delete(nr)
  model.library.set(to, text)
  if (present !== undefined) model.trash.set(await newestEntry(), { path: to, text: present })
}
async function rename(model: Model, from: string, to: string): Promise<void> {
  if (!model.library.has(from) || model.library.has(to)) return
  await database.transaction(async tx => {
    const { nr } = (await findByPath(tx, from))!
    await tx.updateTable('media').set({ path: to }).where('nr', '=', nr).execute()
    await tx.insertInto('relocation').orIgnore().values({ media_nr: nr }).execute()
  })
  model.library.set(to, model.library.get(from)!)
  model.library.delete(from)
}
async function throwAway(model: Model, from: string): Promise<void> {
  const text = model.library.get(from)
  if (text === undefined) return
  model.library.delete(from)
  model.trash.set(await world.throwAway(from), { path: from, text })
}
/**
 * Takes one step. A run waits for the previous run of its process, so a step taken during one needs a
 * `follower` that stands for another instance.
 */
async function take(model: Model, one: Step, follower = relocations): Promise<unknown> {
  switch (one.does) {
    case 'store':
      return store(model, one.path, one.keeps)
    case 'rename':
      return rename(model, one.path, one.to)
    case 'throwAway':
      return throwAway(model, one.path)
    case 'restore':
      return model.trash.size > 0 && restore(model, picked(model, one.which)!, one.replaces)
    case 'empty': {
      if (model.trash.size === 0) return
      const nr = picked(model, one.which)!
      model.trash.delete(nr)
      return trash.empty([nr], 'service', WHOLE_LIBRARY)
    }
    case 'remove':
      expect(await media.remove(one.path, 'service')).toBe(model.library.delete(one.path))
      return
    case 'derive':
      await beginDeriving(model, one.path)
      return endDeriving(model)
    case 'beginDeriving':
      return beginDeriving(model, one.path)
    case 'endDeriving':
      return endDeriving(model)
    case 'follow':
      return follower.run()
    case 'crash':
      await dying.run().catch(() => {})
      world.lines.length = 0
      return
    case 'discard':
      clock.now += one.passed
      return discards.run()
    case 'sweep':
      return sweepAll()
    case 'meanwhile':
      interruption = { left: one.at, act: () => take(model, one.inner, world.relocations) }
      await (one.outer === 'follow' ? relocations.run() : sweepAll())
      interruption = null
  }
}
const libraryRows = () => database.read.selectFrom('media').selectAll().execute()
const trashRows = () => database.read.selectFrom('trash').selectAll().execute()
/** The content of a row, after checking that every object it names exists with the recorded size. */
async function contentOf(row: OwnerRow): Promise<string> {
  for (const name of objectsOf(row))
    expect([name, await world.readObjectText(name)]).not.toEqual([name, null])
  return (await world.readObjectText(row.object))!
}
async function checkReadable(model: Model): Promise<void> {
  const library = new Map<string, string>()
  for (const row of await libraryRows()) library.set(row.path, await contentOf(row))
  expect(library).toEqual(model.library)
  const entries: Model['trash'] = new Map()
  for (const row of await trashRows()) entries.set(row.nr, { path: row.path, text: await contentOf(row) })
  expect(entries).toEqual(model.trash)
}
/** Finishes all pending work: derives, relocates, discards and sweeps. */
async function settle(model: Model): Promise<void> {
  await endDeriving(model)
  gate = Promise.resolve()
  await relocations.run()
  for (const { nr } of await libraryRows()) await derive(nr)
  clock.now += 1000
  await discards.run()
}

test('whatever happens, in whatever order, and in the middle of what', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async steps => {
      const model: Model = { library: new Map(), trash: new Map(), deriving: [] }
      for (const first of [...PATHS, UNTOUCHED])
        await take(model, { does: 'store', path: first, keeps: false })
      for (const one of steps) {
        await take(model, one)
        await checkReadable(model)
      }
      await settle(model)
      await sweepAll()
      await checkReadable(model)
      const owners = [...(await libraryRows()), ...(await trashRows())]
      expect(await world.listObjectNames()).toEqual(owners.flatMap(objectsOf).sort())
      expect(await database.read.selectFrom('relocation').selectAll().execute()).toEqual([])
      for (const { object } of await trashRows()) expect(object).toStartWith('trash/')
      for (const { object } of await libraryRows()) expect(object).toStartWith('files/')
      for (const left of model.library.keys()) await media.remove(left, 'service')
      await trash.empty(undefined, 'service', WHOLE_LIBRARY)
      clock.now += 1000
      await discards.run()
      expect(await world.listObjectNames()).toEqual([])
    }),
    { numRuns: Number(process.env.FUNDUS_LIFE_RUNS ?? (isOrdinaryRun ? 20 : 40)) },
  )
  expect(world.lines).toEqual([])
})
