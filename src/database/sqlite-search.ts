/**
 * The search index grows by one small piece with each transaction, and every search reads all pieces. Here they are
 * merged, a few pages at a time, between other transactions.
 */
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Pages of one portion: a few milliseconds. */
const PAGES = 32
/** Milliseconds for everybody else between two portions. */
const PAUSE = 25

export async function mergeSearchIndex(
  transaction: Database['transaction'],
  more: () => boolean,
): Promise<void> {
  while (more()) {
    const changes = await transaction(async tx => {
      const before = await totalChanges()
      await sql`insert into media_search (media_search, rank) values ('merge', ${PAGES})`.execute(tx)
      return (await totalChanges()) - before

      async function totalChanges(): Promise<number> {
        const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(tx)
        return rows[0]!.changes
      }
    })
    // https://www.sqlite.org/fts5.html#the_merge_command: less than two rows changed means that nothing was left to do.
    if (changes < 2) return
    await Bun.sleep(PAUSE)
  }
}
