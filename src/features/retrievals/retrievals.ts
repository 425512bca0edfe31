/**
 * Counts retrievals of files. Each increments a number in memory; the numbers are written to the database
 * every 30 seconds and at shutdown. A crash costs at most half a minute of counting. `serve/serve.ts` decides
 * what counts as a retrieval.
 */
import { sql } from 'kysely'
import { batches } from '../../base/batches.ts'
import { localDay } from '../../base/local-time.ts'
import type { Database, Queries } from '../../database/database.ts'
import { addToFileDays } from './file-days.store.ts'

/** Number of files per transaction: each costs several database pages, and `/f/` waits meanwhile. */
const PORTION = 100

interface PendingCount {
  count: number
  last: number
}

export type Retrievals = ReturnType<typeof createRetrievals>

export function createRetrievals({ database, now }: { database: Database; now: () => number }) {
  const pending = new Map<number, PendingCount>()
  /** Portions being written: no longer in `pending`, not yet in the database. */
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
    const counts = new Map<number, PendingCount>()
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
      // Nothing of this portion was written; its counts wait for the next attempt.
      for (const [nr, { count, last }] of counts) add(nr, count, last)
      throw error
    } finally {
      underWay.delete(written)
    }
  }

  /**
   * Writes the counts of these files. When it resolves, everything that this process has counted for them is
   * in their rows. Counts of other processes follow within half a minute.
   */
  async function writeDown(numbers: readonly number[]): Promise<void> {
    // Ordered by number, because neighbouring rows share database pages.
    const ordered = numbers.filter(nr => pending.has(nr)).sort((one, other) => one - other)
    for (const portion of batches(ordered, PORTION)) await writePortion(portion)
    await Promise.allSettled(underWay)
  }

  return {
    /** A file's number stays the same when it is renamed or overwritten. */
    count: (nr: number) => add(nr, 1, now()),
    flush: () => writeDown([...pending.keys()]),
    writeDown,
  }
}

async function write(tx: Queries, counts: ReadonlyMap<number, PendingCount>): Promise<void> {
  const written = new Set(await addTo(tx, 'media', 'nr', counts))
  const missing = new Map([...counts].filter(([nr]) => !written.has(nr)))
  // The missing files are in the trash by now: their counts are added there, in case they are restored.
  if (missing.size > 0) for (const nr of await addTo(tx, 'trash', 'media_nr', missing)) written.add(nr)
  await addToFileDays(
    tx,
    [...counts]
      .filter(([nr]) => written.has(nr))
      .map(([nr, { count, last }]) => ({ nr, day: localDay(last), count })),
  )
  await addToDays(tx, counts.values())
}

/** Returns the numbers of the files that have a row in this table. */
async function addTo(
  tx: Queries,
  table: 'media' | 'trash',
  key: 'nr' | 'media_nr',
  counts: ReadonlyMap<number, PendingCount>,
): Promise<number[]> {
  const [row, number] = [sql.table(table), sql.ref(`${table}.${key}`)]
  const values = [...counts].map(
    ([nr, { count, last }]) =>
      sql`(cast(${nr} as bigint), cast(${count} as bigint), cast(${last} as bigint))`,
  )
  // A later time that another instance has written is kept.
  const { rows } = await sql<{
    nr: number
  }>`with counted (nr, retrievals, last) as (values ${sql.join(values)})
    update ${row} set retrievals = ${row}.retrievals + counted.retrievals,
      retrieved_at = case when ${row}.retrieved_at > counted.last then ${row}.retrieved_at else counted.last end
    from counted where ${number} = counted.nr returning ${number} as nr`.execute(tx)
  return rows.map(({ nr }) => nr)
}

/** Adds to the totals per day. Around midnight, half a minute may count for the following day. */
async function addToDays(tx: Queries, counts: Iterable<PendingCount>): Promise<void> {
  const days = new Map<string, number>()
  for (const { count, last } of counts) {
    const day = localDay(last)
    days.set(day, (days.get(day) ?? 0) + count)
  }
  await tx
    .insertInto('retrieval_day')
    .values([...days].map(([day, retrievals]) => ({ day, retrievals })))
    .onConflict(conflict =>
      conflict.column('day').doUpdateSet({ retrievals: sql`retrieval_day.retrievals + excluded.retrievals` }),
    )
    .execute()
}
