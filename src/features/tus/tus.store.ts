/** Database rows of resumable uploads. A row remains for a while after its upload is finished. */
import type { Selectable } from 'kysely'
import { TUS_LIFETIME } from '../../contract/upload/tus-wire.ts'
import type { Queries } from '../../database/database.ts'
import type { PartialUploadTable } from '../../database/schema.ts'
import type { PartialUpload } from '../../storage/storage.ts'

export type PartialUploadRow = Selectable<PartialUploadTable>

/** The owner of an upload: a token or an account, and the ticket if the upload came through one. */
export type UploadOwner = Pick<PartialUploadRow, 'token_id' | 'account_id' | 'ticket_id'>

export type NewPartialUpload = UploadOwner &
  Pick<
    PartialUploadRow,
    'id' | 'length' | 'object' | 'metadata' | 'plan' | 'path' | 'created_at' | 'expires_at'
  >

export async function insertPartialUpload(tx: Queries, row: NewPartialUpload): Promise<void> {
  await tx.insertInto('partial_upload').values(row).execute()
}

export const findPartialUpload = async (db: Queries, id: string): Promise<PartialUploadRow | null> =>
  (await db.selectFrom('partial_upload').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

/**
 * Counts the unfinished uploads: those of this token or account (`ownCount`), and all of them (`totalCount`).
 */
export async function countUnfinishedUploads(
  db: Queries,
  { token_id, account_id }: UploadOwner,
): Promise<{ ownCount: number; totalCount: number }> {
  const rows = await db
    .selectFrom('partial_upload')
    .select(({ fn }) => ['token_id', 'account_id', fn.countAll<number | string>().as('count')])
    .where('finished', '=', 0)
    .groupBy(['token_id', 'account_id'])
    .execute()
  const ownRow = rows.find(row => row.token_id === token_id && row.account_id === account_id)
  return {
    ownCount: Number(ownRow?.count ?? 0),
    totalCount: rows.reduce((sum, row) => sum + Number(row.count), 0),
  }
}

/** Number of unfinished uploads that came through a ticket. */
export async function countUnfinishedUploadsOfTicket(db: Queries, ticketId: string): Promise<number> {
  const row = await db
    .selectFrom('partial_upload')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('ticket_id', '=', ticketId)
    .where('finished', '=', 0)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/**
 * Builds an update of an unfinished upload by the request that holds it. It changes no row if that request
 * has lost the hold.
 */
const updateHeldUpload = (tx: Queries, { id, holder }: Pick<PartialUploadRow, 'id' | 'holder'>) =>
  tx.updateTable('partial_upload').where('id', '=', id).where('holder', '=', holder).where('finished', '=', 0)

export async function recordUploadProgress(
  tx: Queries,
  heldRow: Pick<PartialUploadRow, 'id' | 'holder'>,
  savedState: Pick<PartialUpload, 'received' | 'state'>,
  now: number,
): Promise<boolean> {
  const changes = { ...savedState, expires_at: now + TUS_LIFETIME }
  return (await updateHeldUpload(tx, heldRow).set(changes).executeTakeFirst()).numUpdatedRows > 0n
}

/** Marks the upload as finished; returns false if the hold was lost. The row remains until it expires. */
export async function markUploadFinished(
  tx: Queries,
  heldRow: Pick<PartialUploadRow, 'id' | 'holder' | 'length'>,
  path: string,
  now: number,
): Promise<boolean> {
  const changes = {
    finished: 1,
    received: heldRow.length,
    state: '',
    path,
    expires_at: now + TUS_LIFETIME,
  }
  return (await updateHeldUpload(tx, heldRow).set(changes).executeTakeFirst()).numUpdatedRows > 0n
}

export async function deletePartialUpload(tx: Queries, id: string): Promise<void> {
  await tx.deleteFrom('partial_upload').where('id', '=', id).execute()
}

/**
 * Takes the hold of an upload. If another request has it, sets `wanted` in the row instead. A `held_until`
 * later than `latestEnd` was written by a wrong clock and does not count.
 */
export async function takeHold(
  tx: Queries,
  id: string,
  { holder, now, latestEnd }: { holder: string; now: number; latestEnd: number },
): Promise<'taken' | 'held' | 'absent'> {
  const { numUpdatedRows } = await tx
    .updateTable('partial_upload')
    .set({ holder, held_until: latestEnd, wanted: 0 })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('held_until', '<=', now), eb('held_until', '>', latestEnd)]))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return 'taken'
  const markResult = await tx
    .updateTable('partial_upload')
    .set({ wanted: 1 })
    .where('id', '=', id)
    .executeTakeFirst()
  return markResult.numUpdatedRows > 0n ? 'held' : 'absent'
}

/** Renews a hold. Returns whether another request waits; null if the hold was lost. */
export async function renewHold(
  tx: Queries,
  id: string,
  { holder, heldUntil }: { holder: string; heldUntil: number },
): Promise<{ isWanted: boolean } | null> {
  const row = await tx
    .updateTable('partial_upload')
    .set({ held_until: heldUntil })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .returning('wanted')
    .executeTakeFirst()
  return row ? { isWanted: row.wanted === 1 } : null
}

export async function releaseHold(tx: Queries, id: string, holder: string): Promise<void> {
  await tx
    .updateTable('partial_upload')
    .set({ holder: null, held_until: 0, wanted: 0 })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

/** Limits expiry times to `latestExpiry`: a later one was written while the clock was wrong. */
export async function limitUploadExpiry(tx: Queries, latestExpiry: number): Promise<void> {
  await tx
    .updateTable('partial_upload')
    .set({ expires_at: latestExpiry })
    .where('expires_at', '>', latestExpiry)
    .execute()
}

export const listExpiredUploads = (db: Queries, now: number): Promise<PartialUploadRow[]> =>
  db.selectFrom('partial_upload').selectAll().where('expires_at', '<=', now).orderBy('id').execute()

/** Returns those of the `ids` whose upload is unfinished. */
export async function findUnfinishedIds(db: Queries, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('partial_upload')
    .select('id')
    .where('id', 'in', ids)
    .where('finished', '=', 0)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Unfinished uploads with the name of their token or account, the latest first. */
export const listUnfinishedUploads = (db: Queries) =>
  db
    .selectFrom('partial_upload')
    .leftJoin('token', 'token.id', 'partial_upload.token_id')
    .leftJoin('account', 'account.id', 'partial_upload.account_id')
    .selectAll('partial_upload')
    .select(['token.name as token_name', 'account.name as account_name'])
    .where('finished', '=', 0)
    .orderBy('partial_upload.created_at', 'desc')
    .orderBy('partial_upload.id')
    .execute()
