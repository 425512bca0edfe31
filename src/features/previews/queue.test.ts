import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually, nextTurn } from '../../../test/support/wait.ts'
import { openSqlite } from '../../database/sqlite/sqlite.ts'
import { useInstance } from '../../testing/instance.ts'
import { putRow } from '../media/media.store.ts'
import { createDeriveQueue } from './queue.ts'

const { root, database, log, lines } = await useInstance()
beforeEach(async () => {
  await database.transaction(tx => tx.deleteFrom('media').execute())
  lines.length = 0
})

/** A queue whose work on a file ends only when the test ends it. */
function workshop(through = database) {
  const started: number[] = []
  const hurried: string[] = []
  const open = new Map<number, PromiseWithResolvers<undefined>>()
  const queue = createDeriveQueue({
    database: through,
    log,
    now: Date.now,
    derive(nr, requester) {
      started.push(nr)
      if (requester.isAwaited) hurried.push(`begun ${nr}`)
      const work = Promise.withResolvers<undefined>()
      open.set(nr, work)
      return work.promise.finally(() => open.delete(nr))
    },
    prioritizeJobs(requester) {
      requester.isAwaited = true
      hurried.push(`of ${requester.client}`)
    },
  })
  /** Ends the work on `nr`, or on all files in progress. */
  async function end(nr?: number, error?: Error): Promise<void> {
    for (const [number, work] of [...open]) {
      if (nr !== undefined && number !== nr) continue
      if (error) work.reject(error)
      else work.resolve(undefined)
    }
    await nextTurn()
  }
  async function endAll(): Promise<void> {
    while (open.size > 0) await end()
  }
  return { queue, started, hurried, open, end, endAll }
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

let files = 0
/** Inserts pending files and returns their numbers. */
async function pending(count: number, token_id: string | null = null): Promise<number[]> {
  const file = { size: 1, sha256: 'f', mime: 'image/png', kind: 'bilder' as const, token_id }
  const rest = { ...file, created_at: 1, updated_at: 1, derived: 'pending' as const }
  return database.transaction(async tx => {
    const numbers: number[] = []
    for (const at of range(files + 1, files + count))
      numbers.push(await putRow(tx, { ...rest, id: `id${at}`, path: `p${at}`, object: `files/p${at}` }))
    files += count
    return numbers
  })
}
async function allDone(numbers: readonly number[]): Promise<void> {
  await database.transaction(tx =>
    tx.updateTable('media').set({ derived: 'done' }).where('nr', 'in', numbers).execute(),
  )
}

describe('the queue', () => {
  test('has two of a token at work, and gets through all', async () => {
    const { queue, started, endAll, open } = workshop()
    for (const nr of range(1, 50)) queue.add(nr, 'a')
    expect(open.size).toBe(2)
    await endAll()
    expect(started).toEqual(range(1, 50))
  })

  test('has eight at work however many tokens there are', async () => {
    const { queue, open, endAll } = workshop()
    for (const nr of range(1, 20)) queue.add(nr, `token ${nr}`)
    expect(open.size).toBe(8)
    await endAll()
  })

  test('one token with much to do does not delay another', async () => {
    const { queue, started, end, endAll } = workshop()
    for (const nr of range(1, 600)) queue.add(nr, 'a')
    for (const nr of range(1001, 1004)) queue.add(nr, 'b')
    queue.add(2001, null)
    expect(started).toEqual([1, 2, 1001, 1002, 2001])
    // Slow files stay in progress while the others are completed.
    for (const nr of [1001, 1002, 1003, 1004]) await end(nr)
    expect(started).toEqual([1, 2, 1001, 1002, 2001, 1003, 1004])
    await endAll()
  })

  test('takes first what a reader waits for, beside what is slow', async () => {
    const { queue, started, hurried, endAll } = workshop()
    const [unknown = 0, settled = 0] = await pending(2, 'a')
    await allDone([settled])
    const known = range(unknown + 10, unknown + 19)
    for (const nr of known) queue.add(nr, 'a')
    queue.prioritize(known[7]!)
    queue.prioritize(unknown)
    queue.prioritize(settled)
    await eventually('four have begun', () => started.length === 4)
    expect(started).toEqual([known[0]!, known[1]!, known[7]!, unknown])
    expect(hurried).toEqual([`begun ${known[7]}`, `begun ${unknown}`])
    await endAll()
    // A file that was hurried is not processed a second time.
    expect(started.toSorted((a, b) => a - b)).toEqual([unknown, ...known])
  })

  test('tells the decoders when a reader begins to wait for what is at work', async () => {
    const { queue, started, hurried, endAll } = workshop()
    for (const nr of range(1, 4)) queue.add(nr, 'a')
    queue.prioritize(1)
    expect(hurried).toEqual(['of a'])
    // Its slot goes to files for which nobody waits.
    expect(started).toEqual([1, 2, 3])
    await endAll()
  })

  test('does not take up twice what is waiting or at work', async () => {
    const { queue, started, endAll } = workshop()
    for (const nr of [1, 2, 3, 4, 5, 5, 5]) queue.add(nr, 'a')
    for (const nr of [1, 2, 5, 5]) queue.prioritize(nr)
    for (const nr of [1, 4]) queue.enlist(nr)
    await endAll()
    expect(started.toSorted()).toEqual([1, 2, 3, 4, 5])
  })

  test('takes up again what was overwritten while its earlier content was at work', async () => {
    const { queue, started, endAll } = workshop()
    queue.add(1, 'a')
    queue.add(1, 'a')
    await endAll()
    expect(started).toEqual([1, 1])
  })

  test('goes on after a failure, which is logged', async () => {
    const { queue, started, end, endAll } = workshop()
    for (const nr of range(1, 6)) queue.add(nr, 'a')
    await end(1, new Error('lost'))
    await endAll()
    expect(started).toEqual(range(1, 6))
    expect(lines.join()).toContain('lost')
  })
})

describe('refilling', () => {
  const stopped = () => {
    const stop = new AbortController()
    stop.abort()
    return stop.signal
  }

  test('takes up what is pending of every token, and nothing else', async () => {
    const numbers = await pending(6)
    await allDone(numbers.slice(0, 2))
    await database.transaction(tx =>
      tx.updateTable('media').set({ derived: 'failed' }).where('nr', '=', numbers[2]!).execute(),
    )
    const others = [...(await pending(1, 'a')), ...(await pending(2, 'b'))]
    const { queue, started, endAll } = workshop()
    await queue.processPending(stopped())
    await queue.processPending(stopped())
    await endAll()
    expect(new Set(started)).toEqual(new Set([...numbers.slice(3), ...others]))
    expect(started).toHaveLength(6)
  })

  test('brings back what did not fit into memory', async () => {
    const late = await pending(20, 'a')
    const { queue, started, open, end } = workshop()
    // Two are in progress, five hundred wait; the twenty pending in the database were added too late.
    const early = range(100_001, 100_502)
    for (const nr of [...early, ...late]) queue.add(nr, 'a')
    while (open.size > 0 || started.length < early.length + late.length) {
      await allDone([...open.keys()])
      await end()
      if (started.length > 2000) break
    }
    expect(started.slice(0, early.length)).toEqual(early)
    expect(new Set(started.slice(early.length))).toEqual(new Set(late))
  })

  test('that fails on the way is logged, and does not end the process', async () => {
    const other = await openSqlite({ file: join(root, 'closed.db') })
    const { queue, endAll } = workshop(other)
    for (const nr of range(1, 600)) queue.add(nr, 'a')
    await other.close()
    await endAll()
    await eventually('a line of the log', () => lines.length > 0)
  })
})

describe('working off', () => {
  test('ends when what it took up is done, whatever came meanwhile', async () => {
    const { queue, end, open } = workshop()
    const [first = 0, second = 0] = await pending(2)
    let done = false
    const work = queue.processPending(new AbortController().signal).then(() => {
      done = true
    })
    await eventually('two are at work', () => open.size === 2)
    queue.add(99_999, 'b')
    await end(first)
    await nextTurn()
    expect(done).toBe(false)
    await end(second)
    await work
    expect([...open.keys()]).toEqual([99_999])
    await end()
  })

  test('waits no longer when it is told to', async () => {
    const { queue, endAll, open } = workshop()
    await pending(1)
    const stop = new AbortController()
    const work = queue.processPending(stop.signal)
    await eventually('one is at work', () => open.size === 1)
    stop.abort()
    await work
    expect(open.size).toBe(1)
    await endAll()
  })
})

describe('stopping', () => {
  test('starts nothing more, and waits for what is at work', async () => {
    const { queue, started, end } = workshop()
    for (const nr of range(1, 8)) queue.add(nr, 'a')
    let stopped = false
    const stop = queue.stop().then(() => {
      stopped = true
    })
    await end(1)
    queue.add(9, 'a')
    queue.prioritize(10)
    expect([started, stopped]).toEqual([[1, 2], false])
    await end()
    await stop
    expect(started).toEqual([1, 2])
  })

  test('an idle queue stops at once', () => workshop().queue.stop())
})
