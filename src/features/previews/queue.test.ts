import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../database/sqlite.ts'
import { createLog } from '../../log.ts'
import { putRow } from '../media/media.store.ts'
import { createDeriveQueue } from './queue.ts'

const root = await mkdtemp(join(tmpdir(), 'fundus-queue-'))
const database = await openSqlite({ file: join(root, 'fundus.db') })
const lines: string[] = []
const log = createLog({ level: 'debug', readable: false, write: line => lines.push(line) })
afterAll(async () => {
  await database.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(async () => {
  await database.transaction(tx => tx.deleteFrom('media').execute())
  lines.length = 0
})

/** A queue whose work ends only when the test says so. */
function workshop(through = database) {
  const started: number[] = []
  const open = new Map<number, PromiseWithResolvers<void>>()
  let most = 0
  const queue = createDeriveQueue({
    database: through,
    log,
    derive(nr) {
      started.push(nr)
      const work = Promise.withResolvers<void>()
      open.set(nr, work)
      most = Math.max(most, open.size)
      return work.promise.finally(() => open.delete(nr))
    },
  })
  /** Ends the work on `nr`, or on everything that is at work. */
  async function end(nr?: number, error?: Error): Promise<void> {
    for (const [number, work] of [...open]) {
      if (nr !== undefined && number !== nr) continue
      if (error) work.reject(error)
      else work.resolve()
    }
    await Bun.sleep(0)
  }
  async function endAll(): Promise<void> {
    while (open.size > 0) await end()
  }
  return { queue, started, open, end, endAll, most: () => most }
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

async function pending(count: number): Promise<number[]> {
  const file = { size: 1, sha256: 'f', mime: 'image/png', kind: 'bilder' as const, token_id: null }
  const rest = { ...file, created_at: 1, updated_at: 1, derived: 'pending' as const }
  return database.transaction(async tx => {
    const numbers: number[] = []
    for (const at of range(1, count))
      numbers.push(await putRow(tx, { ...rest, id: `id${at}`, path: `p${at}`, object: `files/p${at}` }))
    return numbers
  })
}

describe('the queue', () => {
  test('never has more than four at work, and gets through all', async () => {
    const { queue, started, endAll, open, most } = workshop()
    for (const nr of range(1, 50)) queue.add(nr)
    expect(open.size).toBe(4)
    await endAll()
    expect(started).toEqual(range(1, 50))
    expect(most()).toBe(4)
  })

  test('takes first what a reader waits for', async () => {
    const { queue, started, end, endAll } = workshop()
    for (const nr of range(1, 10)) queue.add(nr)
    queue.hurry(9)
    queue.hurry(77)
    await end(1)
    await end(2)
    expect(started).toEqual([1, 2, 3, 4, 9, 77])
    await endAll()
    // What was hurried is not done a second time.
    expect(started).toEqual([1, 2, 3, 4, 9, 77, 5, 6, 7, 8, 10])
  })

  test('does not take up twice what is waiting or at work', async () => {
    const { queue, started, endAll } = workshop()
    for (const nr of [1, 2, 3, 4, 5, 5, 5]) queue.add(nr)
    for (const nr of [1, 2, 5, 5]) queue.hurry(nr)
    await endAll()
    expect(started).toEqual([1, 2, 3, 4, 5])
  })

  test('takes up again what was overwritten while its earlier content was at work', async () => {
    const { queue, started, endAll } = workshop()
    queue.add(1)
    queue.add(1)
    await endAll()
    expect(started).toEqual([1, 1])
  })

  test('goes on after a failure, which is logged', async () => {
    const { queue, started, end, endAll } = workshop()
    for (const nr of range(1, 6)) queue.add(nr)
    await end(1, new Error('lost'))
    await endAll()
    expect(started).toEqual(range(1, 6))
    expect(lines.join()).toContain('lost')
  })
})

describe('refilling', () => {
  test('takes up what is pending, and nothing else', async () => {
    const numbers = await pending(6)
    await database.transaction(tx =>
      tx.updateTable('media').set({ derived: 'done' }).where('nr', 'in', numbers.slice(0, 2)).execute(),
    )
    await database.transaction(tx =>
      tx.updateTable('media').set({ derived: 'failed' }).where('nr', '=', numbers[2]!).execute(),
    )
    const { queue, started, endAll } = workshop()
    await queue.refill()
    await queue.refill()
    await endAll()
    expect(started).toEqual(numbers.slice(3))
  })

  test('brings back what did not fit into memory', async () => {
    const late = await pending(20)
    const { queue, started, open, end } = workshop()
    // Four are at work and a thousand wait; the twenty that are pending in the database come too late.
    const early = range(100_001, 101_004)
    for (const nr of [...early, ...late]) queue.add(nr)
    while (open.size > 0 || started.length < early.length + late.length) {
      const done = [...open.keys()]
      await database.transaction(tx =>
        tx.updateTable('media').set({ derived: 'done' }).where('nr', 'in', done).execute(),
      )
      await end()
      if (started.length > 2000) break
    }
    expect(started.slice(0, early.length)).toEqual(early)
    expect(new Set(started.slice(early.length))).toEqual(new Set(late))
  })

  test('that fails on the way is logged, and does not end the process', async () => {
    const other = await openSqlite({ file: join(root, 'closed.db') })
    const { queue, endAll } = workshop(other)
    for (const nr of range(1, 1100)) queue.add(nr)
    await other.close()
    await endAll()
    await Bun.sleep(5)
    expect(lines.length).toBeGreaterThan(0)
  })
})

describe('working off', () => {
  test('ends when what it took up is done, whatever came meanwhile', async () => {
    const { queue, end, open } = workshop()
    const [first = 0, second = 0] = await pending(2)
    let done = false
    const work = queue.workOff(new AbortController().signal).then(() => {
      done = true
    })
    while (open.size < 2) await Bun.sleep(1)
    queue.add(999)
    await end(first)
    await Bun.sleep(5)
    expect(done).toBe(false)
    await end(second)
    await work
    expect([...open.keys()]).toEqual([999])
    await end()
  })

  test('waits no longer when it is told to', async () => {
    const { queue, endAll, open } = workshop()
    await pending(1)
    const stop = new AbortController()
    const work = queue.workOff(stop.signal)
    while (open.size < 1) await Bun.sleep(1)
    stop.abort()
    await work
    expect(open.size).toBe(1)
    await endAll()
  })
})

describe('stopping', () => {
  test('starts nothing more, and waits for what is at work', async () => {
    const { queue, started, end } = workshop()
    for (const nr of range(1, 8)) queue.add(nr)
    let stopped = false
    const stop = queue.stop().then(() => {
      stopped = true
    })
    await end(1)
    queue.add(9)
    queue.hurry(10)
    expect([started, stopped]).toEqual([[1, 2, 3, 4], false])
    await end()
    await stop
    expect(started).toEqual([1, 2, 3, 4])
  })

  test('an idle queue stops at once', () => workshop().queue.stop())
})
