/**
 * The ids of uploads. Uploads with equal bytes share one file, but each uploader can delete its own upload by
 * its id. So a file has one id per upload, and is deleted when its last id is removed. When a file is deleted
 * for good or overwritten, all its ids are removed (`dropUploadIds`); renaming, the trash and restoring keep
 * them. See the migration `0016-upload-ids.ts`.
 */
import type { Queries } from '../../database/database.ts'
import { findById, type MediaRow } from './media.store.ts'

/**
 * Whether `upload_id` has rows for this content. It has none for a content to which no further id was ever
 * added.
 */
async function hasUploadIdRows(db: Queries, contentId: string): Promise<boolean> {
  const idRows = await db
    .selectFrom('upload_id')
    .select('id')
    .where('content_id', '=', contentId)
    .limit(1)
    .execute()
  return idRows.length > 0
}

/**
 * Whether `upload_id` has a row for this id. It has one if the id was added to existing content, or if
 * another id was added to the content that was stored under this id.
 */
export async function isUploadIdRecorded(db: Queries, id: string): Promise<boolean> {
  return (await db.selectFrom('upload_id').select('id').where('id', '=', id).execute()).length > 0
}

/** The file in the library with this upload id. Files in the trash are found only after a restore. */
export async function findByUploadId(db: Queries, id: string): Promise<MediaRow | null> {
  const idRow = await db.selectFrom('upload_id').select('content_id').where('id', '=', id).executeTakeFirst()
  if (idRow) return findById(db, idRow.content_id)
  // If `upload_id` has rows for a content but none for its own id, that id was deleted.
  return (await hasUploadIdRows(db, id)) ? null : findById(db, id)
}

export async function addUploadId(tx: Queries, contentId: string, id: string): Promise<void> {
  const ids = (await hasUploadIdRows(tx, contentId)) ? [id] : [contentId, id]
  await tx
    .insertInto('upload_id')
    .values(ids.map(uploadId => ({ id: uploadId, content_id: contentId })))
    .execute()
}

/** Removes an id. True if the content has other ids left. */
export async function removeUploadId(tx: Queries, contentId: string, id: string): Promise<boolean> {
  await tx.deleteFrom('upload_id').where('id', '=', id).execute()
  return hasUploadIdRows(tx, contentId)
}

/**
 * Called when the content `to` replaces `from`, which has the same bytes: all ids of `from` then find `to`.
 */
export async function moveUploadIds(tx: Queries, from: string, to: string): Promise<void> {
  await addUploadId(tx, from, to)
  await tx.updateTable('upload_id').set({ content_id: to }).where('content_id', '=', from).execute()
}

export async function dropUploadIds(tx: Queries, contentIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('upload_id').where('content_id', 'in', contentIds).execute()
}
