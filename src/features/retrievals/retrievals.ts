/**
 * Counts retrievals: a map increment for each, written down together every 30 seconds and at shutdown. A crash
 * costs at most the last half minute of counting, never a file.
 */
import { sql } from 'kysely'
import { batches } from '../../batches.ts'
import type { Database, Queries } from '../../database/database.ts'
import { localDay } from '../../local-time.ts'

/** Files in one transaction: with a million of them each costs several pages, and `/f/` waits while they are written. */
const PORTION = 100

interface Pending {
  count: number
  last: number
}

export interface Retrievals {
  /** By the number of the file, which stays the same when it is renamed or overwritten meanwhile. */
  count(nr: number): void
  flush(): Promise<void>
  /**
   * What this process has counted for these files stands in their rows when the promise resolves. What another process
   * still holds comes within the half minute.
   */
  writeDown(numbers: readonly number[]): Promise<void>
}

export function createRetrievals({ database, now }: { database: Database; now: () => number }): Retrievals {
  const pending = new Map<number, Pending>()
  /** Portions on their way into the database: no longer pending, not yet to be read. */
  const underWay = new Set<Promise<void>>()

  function add(nr: number, count: number, last: number): void {
    const known = pending.get(nr)
    if (!known) pending.set(nr, { count, last })
    else {
      known.count += count
      if (last > known.last) known.last = last
    }
  }

  async function writePortion(numbers: readonly number[]): Promise<void> {
    const counts = new Map<number, Pending>()
    for (const nr of numbers) {
      const counted = pending.get(nr)
      if (counted) counts.set(nr, counted)
      pending.delete(nr)
    }
    if (counts.size === 0) return
    const written = database.transaction(tx => write(tx, counts))
    underWay.add(written)
    try {
      await written
    } catch (error) {
      // Nothing of these was written; they wait for the next time.
      for (const [nr, { count, last }] of counts) add(nr, count, last)
      throw error
    } finally {
      underWay.delete(written)
    }
  }

  async function writeDown(numbers: readonly number[]): Promise<void> {
    // Neighbours share pages, so the order of numbers is the cheapest.
    const ordered = numbers.filter(nr => pending.has(nr)).sort((one, other) => one - other)
    for (const portion of batches(ordered, PORTION)) await writePortion(portion)
    await Promise.allSettled(underWay)
  }

  return {
    count: nr => add(nr, 1, now()),
    flush: () => writeDown([...pending.keys()]),
    writeDown,
  }
}

async function write(tx: Queries, counts: ReadonlyMap<number, Pending>): Promise<void> {
  for (const [nr, { count, last }] of counts) {
    const more = { retrievals: sql<number>`retrievals + ${count}`, retrieved_at: laterOf(last) }
    const { numUpdatedRows } = await tx.updateTable('media').set(more).where('nr', '=', nr).executeTakeFirst()
    // Thrown away since: it takes its count along, for the day it is restored.
    if (numUpdatedRows === 0n) await tx.updateTable('trash').set(more).where('media_nr', '=', nr).execute()
  }
  await addToDays(tx, counts.values())
}

/** Another instance may have written a later one. */
const laterOf = (last: number) =>
  sql<number>`case when retrieved_at > ${last} then retrieved_at else ${last} end`

/** For the chart of the overview. What was counted in the half minute around midnight may go to the day after. */
async function addToDays(tx: Queries, counts: Iterable<Pending>): Promise<void> {
  const days = new Map<string, number>()
  for (const { count, last } of counts) {
    const day = localDay(last)
    days.set(day, (days.get(day) ?? 0) + count)
  }
  for (const [day, retrievals] of days) {
    await tx
      .insertInto('retrieval_day')
      .values({ day, retrievals })
      .onConflict(conflict =>
        conflict.column('day').doUpdateSet({ retrievals: sql`retrieval_day.retrievals + ${retrievals}` }),
      )
      .execute()
  }
}
