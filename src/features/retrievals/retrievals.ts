/**
 * Counts retrievals: a map increment for each, written down together every 30 seconds and at shutdown. A crash
 * costs at most the last half minute of counting, never a file.
 */
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export const FLUSH_INTERVAL = 30_000

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
      if (pending.size === 0) return
      const writing = pending
      pending = new Map()
      try {
        await database.transaction(async tx => {
          for (const [nr, { count, last }] of writing) {
            await tx
              .updateTable('media')
              .set({ retrievals: sql`retrievals + ${count}`, retrieved_at: laterOf(last) })
              .where('nr', '=', nr)
              .execute()
          }
        })
      } catch (error) {
        // Nothing was written; these counts wait for the next time.
        for (const [nr, { count, last }] of writing) add(nr, count, last)
        throw error
      }
    },
  }
}

/** Another instance may have written a later one. */
const laterOf = (last: number) =>
  sql<number>`case when retrieved_at > ${last} then retrieved_at else ${last} end`
