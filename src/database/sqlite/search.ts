/**
 * Merges the segments of the search index (FTS5), a few pages at a time, between other transactions. Each
 * transaction that changes paths adds a small segment, and every search has to read all segments.
 */
import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Number of pages that are merged in one transaction, which takes a few milliseconds. */
const PAGES_PER_MERGE = 32
/** Pause in milliseconds between two merging transactions, during which other transactions can run. */
const MERGE_PAUSE = 25

export async function mergeSearchIndex(
  transaction: Database['transaction'],
  mayContinue: () => boolean,
): Promise<void> {
  while (mayContinue()) {
    const changes = await transaction(async tx => {
      const changesBefore = await totalChanges()
      await sql`insert into media_search (media_search, rank) values ('merge', ${PAGES_PER_MERGE})`.execute(
        tx,
      )
      return (await totalChanges()) - changesBefore

      async function totalChanges(): Promise<number> {
        const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(tx)
        return rows[0]!.changes
      }
    })
    // Fewer than two changes mean that nothing was merged
    // (https://www.sqlite.org/fts5.html#the_merge_command).
    if (changes < 2) return
    await Bun.sleep(MERGE_PAUSE)
  }
}
