/**
 * Counts retrievals of files. Each retrieval increments a number in memory; all numbers are written to the database
 * every 30 seconds and at shutdown. A crash costs at most the last half minute of counting, never a file.
 */
import { sql } from 'kysely'
import { batches } from '../../batches.ts'
import type { Database, Queries } from '../../database/database.ts'
import { localDay } from '../../local-time.ts'

/**
 * Files in one transaction. In a library of a million files each file costs several database pages, and `/f/` waits
 * while the pages are written.
 */
const PORTION = 100

interface Pending {
  count: number
  last: number
}

export interface Retrievals {
  /** Counts one retrieval. The number of a file stays the same when the file is renamed or overwritten meanwhile. */
  count(nr: number): void
  flush(): Promise<void>
  /**
   * When the promise resolves, all that this process has counted for these files stands in their rows. Counts that
   * another process still holds in memory follow within half a minute.
   */
  writeDown(numbers: readonly number[]): Promise<void>
}

export function createRetrievals({ database, now }: { database: Database; now: () => number }): Retrievals {
  const pending = new Map<number, Pending>()
  /** Portions that are being written: no longer in `pending`, not yet readable in the database. */
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
      // Nothing of this portion was written; its counts go back to `pending` and wait for the next time.
      for (const [nr, { count, last }] of counts) add(nr, count, last)
      throw error
    } finally {
      underWay.delete(written)
    }
  }

  async function writeDown(numbers: readonly number[]): Promise<void> {
    // Rows with neighbouring numbers share database pages, so writing in the order of numbers is the cheapest.
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
    // The file is in the trash by now: its count is added there, so that the file has it when it is restored.
    if (numUpdatedRows === 0n) await tx.updateTable('trash').set(more).where('media_nr', '=', nr).execute()
  }
  await addToDays(tx, counts.values())
}

/** The later of `last` and the time in the row: another instance may have written a later time. */
const laterOf = (last: number) =>
  sql<number>`case when retrieved_at > ${last} then retrieved_at else ${last} end`

/**
 * Adds the counts to the totals per day, for the chart of the overview. Retrievals counted in the half minute around
 * midnight may go to the following day.
 */
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
