/**
 * Counts retrievals: a map increment for each, written down together every 30 seconds and at shutdown. A crash
 * costs at most the last half minute of counting, never a file.
 */
import { sql } from 'kysely'
import type { Database, Queries } from '../../database/database.ts'
import { localDay } from '../../local-time.ts'

export const FLUSH_INTERVAL = 30_000

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
}

export function createRetrievals({ database, now }: { database: Database; now: () => number }): Retrievals {
  let pending = new Map<number, Pending>()

  function add(nr: number, count: number, last: number): void {
    const known = pending.get(nr)
    if (!known) pending.set(nr, { count, last })
    else {
      known.count += count
      if (last > known.last) known.last = last
    }
  }

  return {
    count: nr => add(nr, 1, now()),

    async flush() {
      // Neighbours share pages, so the order of numbers is the cheapest.
      let left = [...pending].sort(([one], [other]) => one - other)
      pending = new Map()
      try {
        for (; left.length > 0; left = left.slice(PORTION)) {
          const portion = left.slice(0, PORTION)
          await database.transaction(async tx => {
            for (const [nr, { count, last }] of portion) {
              const more = { retrievals: sql<number>`retrievals + ${count}`, retrieved_at: laterOf(last) }
              const { numUpdatedRows } = await tx
                .updateTable('media')
                .set(more)
                .where('nr', '=', nr)
                .executeTakeFirst()
              // Thrown away since: it takes its count along, for the day it is restored.
              if (numUpdatedRows === 0n)
                await tx.updateTable('trash').set(more).where('media_nr', '=', nr).execute()
            }
            await addToDays(
              tx,
              portion.map(([, counted]) => counted),
            )
          })
        }
      } catch (error) {
        // Nothing of these was written; they wait for the next time.
        for (const [nr, { count, last }] of left) add(nr, count, last)
        throw error
      }
    },
  }
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
