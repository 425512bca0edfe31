/** Rows that count how often each file was retrieved on each day. */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'

export interface FileDayCount {
  nr: number
  day: string
  count: number
}

/** Adds the counts in a single statement, because other processes may add to the same rows. */
export async function addFileDayCounts(tx: Queries, counts: readonly FileDayCount[]): Promise<void> {
  if (counts.length === 0) return
  await tx
    .insertInto('retrieval_file_day')
    .values(counts.map(({ nr, day, count }) => ({ media_nr: nr, day, retrievals: count })))
    .onConflict(conflict =>
      conflict
        .columns(['media_nr', 'day'])
        .doUpdateSet({ retrievals: sql`retrieval_file_day.retrievals + excluded.retrievals` }),
    )
    .execute()
}

/** Removes the daily counts of files that are deleted for good. */
export async function deleteFileDays(tx: Queries, fileNumbers: readonly number[]): Promise<void> {
  if (fileNumbers.length === 0) return
  await tx.deleteFrom('retrieval_file_day').where('media_nr', 'in', fileNumbers).execute()
}

/** Removes at most `limit` rows of days before `day`; returns their number. */
export async function removeFileDaysBefore(tx: Queries, day: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from retrieval_file_day where (media_nr, day) in
    (select media_nr, day from retrieval_file_day where day < ${day} limit ${sql.lit(limit)})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
