/**
 * Counts retrievals of files. Each retrieval increments a number in memory; the numbers are written to the
 * database every 30 seconds, at shutdown, and on demand (`writeDown`). A crash loses the counts since the
 * last write. `serve/` decides what counts as a retrieval.
 */
import { sql } from 'kysely'
import { batches } from '../../base/batches.ts'
import { localDay } from '../../base/local-time.ts'
import type { Database, Queries } from '../../database/database.ts'
import { COUNTER_WRITE_INTERVAL } from '../../jobs/job.ts'
import { addFileDayCounts } from './file-days.store.ts'

/**
 * Maximum number of files per transaction. It is small because each file changes several database pages, and
 * because requests for `/f/` wait while SQLite runs a statement.
 */
const FILES_PER_TRANSACTION = 100

interface PendingCount {
  count: number
  /** Time of the last retrieval in Unix milliseconds. */
  lastAt: number
}

export type Retrievals = ReturnType<typeof createRetrievals>

export function createRetrievals({ database, now }: { database: Database; now: () => number }) {
  const pendingCounts = new Map<number, PendingCount>()
  /** Transactions in progress: their counts are no longer in `pendingCounts`, and not yet in the database. */
  const runningWrites = new Set<Promise<void>>()

  function add(nr: number, count: number, lastAt: number): void {
    const existingCount = pendingCounts.get(nr)
    if (!existingCount) pendingCounts.set(nr, { count, lastAt })
    else {
      existingCount.count += count
      if (lastAt > existingCount.lastAt) existingCount.lastAt = lastAt
    }
  }

  async function writeBatch(fileNumbers: readonly number[]): Promise<void> {
    const counts = new Map<number, PendingCount>()
    for (const nr of fileNumbers) {
      const pendingCount = pendingCounts.get(nr)
      if (pendingCount) counts.set(nr, pendingCount)
      pendingCounts.delete(nr)
    }
    if (counts.size === 0) return
    const writePromise = database.transaction(tx => writeCounts(tx, counts))
    runningWrites.add(writePromise)
    try {
      await writePromise
    } catch (error) {
      // The counts are kept for the next attempt. In the rare case that the transaction was stored despite
      // the error (`mayBeStored`), these retrievals are counted twice.
      for (const [nr, { count, lastAt }] of counts) add(nr, count, lastAt)
      throw error
    } finally {
      runningWrites.delete(writePromise)
    }
  }

  /**
   * Writes the counts of these files to the database. When it resolves, their rows include everything that
   * this process has counted, except for counts that another call has failed to write. Counts of other
   * processes follow within half a minute.
   */
  async function writeDown(fileNumbers: readonly number[]): Promise<void> {
    // Ordered by number, because neighbouring rows share database pages.
    const sortedNumbers = fileNumbers.filter(nr => pendingCounts.has(nr)).sort((a, b) => a - b)
    for (const batch of batches(sortedNumbers, FILES_PER_TRANSACTION)) await writeBatch(batch)
    await Promise.allSettled(runningWrites)
  }

  const flush = () => writeDown([...pendingCounts.keys()])
  return {
    /** Counts one retrieval. A file keeps its number when it is renamed or overwritten. */
    count: (nr: number) => add(nr, 1, now()),
    flush,
    writeDown,
    job: { name: 'retrieval counters', interval: COUNTER_WRITE_INTERVAL, run: flush },
  }
}

async function writeCounts(tx: Queries, counts: ReadonlyMap<number, PendingCount>): Promise<void> {
  const writtenNumbers = new Set(await addCountsToTable(tx, 'media', 'nr', counts))
  const missingCounts = new Map([...counts].filter(([nr]) => !writtenNumbers.has(nr)))
  // These files are in the trash by now, or deleted. Counts of trashed files are added there, in case they
  // are restored.
  if (missingCounts.size > 0)
    for (const nr of await addCountsToTable(tx, 'trash', 'media_nr', missingCounts)) writtenNumbers.add(nr)
  await addFileDayCounts(
    tx,
    [...counts]
      .filter(([nr]) => writtenNumbers.has(nr))
      .map(([nr, { count, lastAt }]) => ({ nr, day: localDay(lastAt), count })),
  )
  await addToDailyTotals(tx, counts.values())
}

/** Adds the counts to the rows of this table. Returns the numbers of the files that have a row in it. */
async function addCountsToTable(
  tx: Queries,
  table: 'media' | 'trash',
  key: 'nr' | 'media_nr',
  counts: ReadonlyMap<number, PendingCount>,
): Promise<number[]> {
  const [tableRef, keyRef] = [sql.table(table), sql.ref(`${table}.${key}`)]
  const values = [...counts].map(
    ([nr, { count, lastAt }]) =>
      sql`(cast(${nr} as bigint), cast(${count} as bigint), cast(${lastAt} as bigint))`,
  )
  // A later time that another process has written is kept.
  const { rows } = await sql<{
    nr: number
  }>`with counted (nr, retrievals, last) as (values ${sql.join(values)})
    update ${tableRef} set retrievals = ${tableRef}.retrievals + counted.retrievals,
      retrieved_at = case when ${tableRef}.retrieved_at > counted.last then ${tableRef}.retrieved_at else counted.last end
    from counted where ${keyRef} = counted.nr returning ${keyRef} as nr`.execute(tx)
  return rows.map(({ nr }) => nr)
}

/**
 * Adds the counts to the totals per day. Around midnight, the counts of half a minute may be added to the
 * following day.
 */
async function addToDailyTotals(tx: Queries, counts: Iterable<PendingCount>): Promise<void> {
  const countsByDay = new Map<string, number>()
  for (const { count, lastAt } of counts) {
    const day = localDay(lastAt)
    countsByDay.set(day, (countsByDay.get(day) ?? 0) + count)
  }
  await tx
    .insertInto('retrieval_day')
    .values([...countsByDay].map(([day, retrievals]) => ({ day, retrievals })))
    .onConflict(conflict =>
      conflict.column('day').doUpdateSet({ retrievals: sql`retrieval_day.retrievals + excluded.retrievals` }),
    )
    .execute()
}
