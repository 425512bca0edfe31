import { beforeEach, describe, expect, test } from 'bun:test'
import { nextTurn } from '../../../test/support/wait.ts'
import type { Database } from '../../database/database.ts'
import { useInstance } from '../../testing/instance.ts'
import { deleteRows, findByNr, findByPath, putRow } from '../media/media.store.ts'
import { createRetrievals } from './retrievals.ts'

const { database } = await useInstance()
beforeEach(() => database.transaction(tx => tx.deleteFrom('media').execute()))

let ids = 0
/** Stores or overwrites a file; returns the row's number. */
function store(path: string): Promise<number> {
  const file = {
    path,
    object: 'files/x',
    size: 1,
    sha256: 'f',
    mime: 'text/plain',
    kind: 'dokumente' as const,
  }
  const rest = { token_id: null, created_at: 1, updated_at: 1, derived: 'done' as const }
  return database.transaction(tx => putRow(tx, { ...file, ...rest, id: `id${ids++}` }))
}
const countsOf = async (nr: number) => {
  const row = await findByNr(database.read, nr)
  return row && [row.retrievals, row.retrieved_at]
}

let clock = 1000
const create = (through: Database = database) => createRetrievals({ database: through, now: () => clock })

describe('counting', () => {
  test('nothing is written before the flush, everything with it', async () => {
    const nr = await store('a')
    const other = await store('b')
    const retrievals = create()
    for (const at of [1000, 1001, 1005]) {
      clock = at
      retrievals.count(nr)
    }
    expect(await countsOf(nr)).toEqual([0, null])
    await retrievals.flush()
    expect([await countsOf(nr), await countsOf(other)]).toEqual([
      [3, 1005],
      [0, null],
    ])
  })

  test('flushes add up, and an empty one writes nothing', async () => {
    const nr = await store('a')
    let transactions = 0
    const watched: Database = {
      ...database,
      transaction: work => {
        transactions++
        return database.transaction(work)
      },
    }
    const retrievals = create(watched)
    for (let round = 0; round < 3; round++) {
      retrievals.count(nr)
      retrievals.count(nr)
      await retrievals.flush()
      await retrievals.flush()
    }
    expect([(await countsOf(nr))?.[0], transactions]).toEqual([6, 3])
  })

  test('goes on under the same number when the file is renamed or overwritten', async () => {
    const nr = await store('a')
    const retrievals = create()
    retrievals.count(nr)
    await database.transaction(tx =>
      tx.updateTable('media').set({ path: 'b' }).where('nr', '=', nr).execute(),
    )
    retrievals.count(nr)
    await retrievals.flush()
    expect(await store('b')).toBe(nr)
    retrievals.count(nr)
    await retrievals.flush()
    expect((await findByPath(database.read, 'b'))?.retrievals).toBe(3)
  })

  test('of a file that is gone is forgotten, and a new file of that path begins anew', async () => {
    const nr = await store('a')
    const retrievals = create()
    retrievals.count(nr)
    await database.transaction(async tx => deleteRows(tx, [(await findByNr(tx, nr))!]))
    const later = await store('a')
    await retrievals.flush()
    expect(later).not.toBe(nr)
    expect(await countsOf(later)).toEqual([0, null])
  })
})

describe('a flush that fails', () => {
  const broken: Database = { ...database, transaction: () => Promise.reject(new Error('disk full')) }

  test('rejects, and keeps the counts for the next one', async () => {
    const nr = await store('a')
    let through = broken
    const retrievals = create({ ...database, transaction: work => through.transaction(work) })
    clock = 2000
    retrievals.count(nr)
    retrievals.count(nr)
    await expect(retrievals.flush()).rejects.toThrow('disk full')
    await expect(retrievals.flush()).rejects.toThrow('disk full')
    through = database
    await retrievals.flush()
    expect(await countsOf(nr)).toEqual([2, 2000])
    await retrievals.flush()
    expect(await countsOf(nr)).toEqual([2, 2000])
  })

  test('loses nothing that is counted while it is under way', async () => {
    const nr = await store('a')
    const { promise, reject } = Promise.withResolvers<never>()
    let through: Pick<Database, 'transaction'> = { transaction: () => promise }
    const retrievals = create({ ...database, transaction: work => through.transaction(work) })
    clock = 3000
    retrievals.count(nr)
    const flushing = retrievals.flush()
    clock = 3500
    retrievals.count(nr)
    reject(new Error('lost'))
    await expect(flushing).rejects.toThrow('lost')
    through = database
    await retrievals.flush()
    expect(await countsOf(nr)).toEqual([2, 3500])
  })
})

describe('written down before they are named', () => {
  test('only those files, whatever else was counted', async () => {
    const [nr, other] = [await store('a'), await store('b')]
    const retrievals = create()
    clock = 2000
    retrievals.count(nr)
    retrievals.count(other)
    await retrievals.writeDown([nr])
    expect([await countsOf(nr), await countsOf(other)]).toEqual([
      [1, 2000],
      [0, null],
    ])
    await retrievals.flush()
    expect([await countsOf(nr), await countsOf(other)]).toEqual([
      [1, 2000],
      [1, 2000],
    ])
  })

  test('also those that a flush has taken and not yet written', async () => {
    const nr = await store('a')
    const gate = Promise.withResolvers<void>()
    const slow: Database['transaction'] = async (work, options) => {
      await gate.promise
      return database.transaction(work, options)
    }
    const retrievals = create({ ...database, transaction: slow })
    retrievals.count(nr)
    const flushing = retrievals.flush()
    let named = false
    const naming = retrievals.writeDown([nr]).then(async () => {
      named = true
      return countsOf(nr)
    })
    await nextTurn()
    expect(named).toBe(false)
    gate.resolve()
    expect((await naming)?.[0]).toBe(1)
    await flushing
  })
})

test('two instances count together, and the last retrieval is the latest of both', async () => {
  const nr = await store('a')
  const [early, late] = [create(), create()]
  clock = 5000
  early.count(nr)
  clock = 9000
  late.count(nr)
  await late.flush()
  await early.flush()
  expect(await countsOf(nr)).toEqual([2, 9000])
})

test('many files are written in portions: what a failure left unwritten comes with the next flush, once', async () => {
  const numbers: number[] = []
  for (let at = 0; at < 250; at++) numbers.push(await store(`portion/${at}`))
  let transactions = 0
  const failing: Database = {
    ...database,
    transaction: (work, options) =>
      ++transactions === 2 ? Promise.reject(new Error('disk')) : database.transaction(work, options),
  }
  const retrievals = create(failing)
  clock = 2000
  for (const nr of numbers) retrievals.count(nr)
  await expect(retrievals.flush()).rejects.toThrow('disk')
  await retrievals.flush()
  expect(transactions).toBeGreaterThan(3)
  for (const nr of numbers) expect(await countsOf(nr)).toEqual([1, 2000])
})
