/**
 * A finding records that a stored file is missing or damaged. It belongs to a content id, so it is void once
 * neither library nor trash has that content. `listFindings` skips void findings, and the next run of the
 * scrub (`scrub.ts`) deletes them.
 */
import { sql } from 'kysely'
import { countRows } from '../../database/count-rows.ts'
import type { Queries } from '../../database/database.ts'
import type { FileTableName, FindingReason } from '../../database/schema.ts'

export interface Finding {
  id: string
  path: string
  place: FileTableName
  reason: FindingReason
  foundAt: number
}

/** The results of checks by content id; null if the file is fine, so that its finding is deleted. */
export type CheckOutcomes = Map<string, FindingReason | null>

export async function saveCheckOutcomes(
  tx: Queries,
  outcomes: CheckOutcomes,
  checkedAt: number,
): Promise<void> {
  for (const [id, reason] of outcomes) {
    // A known finding keeps the time at which it was found, and whether it was reported.
    if (reason)
      await tx
        .insertInto('finding')
        .values({ id, reason, found_at: checkedAt, looked_at: checkedAt, told: 0 })
        .onConflict(conflict => conflict.column('id').doUpdateSet({ reason, looked_at: checkedAt }))
        .execute()
    else await tx.deleteFrom('finding').where('id', '=', id).execute()
  }
}

export const hasFindings = async (db: Queries): Promise<boolean> =>
  (await db.selectFrom('finding').select('id').limit(1).executeTakeFirst()) !== undefined

/** Deletes the findings of contents that neither library nor trash has any more. */
export async function deleteVoidFindings(tx: Queries): Promise<void> {
  await tx
    .deleteFrom('finding')
    .where(({ not, exists, and, selectFrom }) =>
      and([
        not(exists(selectFrom('media').select('nr').whereRef('media.id', '=', 'finding.id'))),
        not(exists(selectFrom('trash').select('nr').whereRef('trash.id', '=', 'finding.id'))),
      ]),
    )
    .execute()
}

/**
 * Ids of at most `limit` findings whose last check was at least `minAge` milliseconds ago, or is in the
 * future because the clock was ahead; the oldest check first.
 */
export async function findingsToRecheck(
  db: Queries,
  { now, minAge, limit }: { now: number; minAge: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('finding')
    .select('id')
    .where(({ or, eb }) => or([eb('looked_at', '<=', now - minAge), eb('looked_at', '>', now)]))
    .orderBy('looked_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

const selectValidFindings = (db: Queries) =>
  db
    .selectFrom('finding')
    .innerJoin('media', 'media.id', 'finding.id')
    .select(['finding.id', 'path', 'reason', 'found_at', 'told'])
    .select(sql<FileTableName>`'media'`.as('place'))
    .unionAll(
      db
        .selectFrom('finding')
        .innerJoin('trash', 'trash.id', 'finding.id')
        .select(['finding.id', 'path', 'reason', 'found_at', 'told'])
        .select(sql<FileTableName>`'trash'`.as('place')),
    )

/**
 * Lists at most `limit` findings, newest first, and counts all. `onlyUnreported`: only findings that no
 * message has reported yet.
 */
export async function listFindings(
  db: Queries,
  { limit, onlyUnreported = false }: { limit: number; onlyUnreported?: boolean },
): Promise<{ findings: Finding[]; total: number }> {
  const selection = db
    .selectFrom(selectValidFindings(db).as('living'))
    .$if(onlyUnreported, query => query.where('told', '=', 0))
  const rows = await selection
    .select(['id', 'path', 'place', 'reason', 'found_at'])
    .orderBy('found_at', 'desc')
    .orderBy('path')
    .limit(limit)
    .execute()
  const findings = rows.map(({ found_at, ...row }) => ({ ...row, foundAt: found_at }))
  return { findings, total: await countRows(selection) }
}

/**
 * Marks all findings up to the time `foundUntil` as reported, including those that the message only counted.
 */
export async function markReported(tx: Queries, foundUntil: number): Promise<void> {
  await tx
    .updateTable('finding')
    .set({ told: 1 })
    .where('told', '=', 0)
    .where('found_at', '<=', foundUntil)
    .execute()
}
