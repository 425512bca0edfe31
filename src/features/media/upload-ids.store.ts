/**
 * Keeps the ids of uploads. Equal bytes become one file, but each uploader may delete by the id of its own
 * upload. So the file has as many ids as there were uploads, and is removed with its last id. The migration
 * `0016-upload-ids.ts` says how the ids are kept.
 */
import type { Queries } from '../../database/database.ts'
import { findById, type MediaRow } from './media.store.ts'

/** Whether the table has rows for this content. A content that has only its own id has no row. */
async function hasIds(db: Queries, content: string): Promise<boolean> {
  const found = await db
    .selectFrom('upload_id')
    .select('id')
    .where('content_id', '=', content)
    .limit(1)
    .execute()
  return found.length > 0
}

/** Whether this upload was recorded as one more id of a content. */
export async function isUploadId(db: Queries, id: string): Promise<boolean> {
  return (await db.selectFrom('upload_id').select('id').where('id', '=', id).execute()).length > 0
}

/**
 * The file in the library that this id still counts for. Ids of files in the trash find nothing until a
 * restore.
 */
export async function findByUploadId(db: Queries, id: string): Promise<MediaRow | null> {
  const kept = await db.selectFrom('upload_id').select('content_id').where('id', '=', id).executeTakeFirst()
  if (kept) return findById(db, kept.content_id)
  // When a file has rows here but its own id is not among them, its own id was deleted.
  return (await hasIds(db, id)) ? null : findById(db, id)
}

export async function addUploadId(tx: Queries, content: string, id: string): Promise<void> {
  const ids = (await hasIds(tx, content)) ? [id] : [content, id]
  await tx
    .insertInto('upload_id')
    .values(ids.map(each => ({ id: each, content_id: content })))
    .execute()
}

/** Deletes the id; true while the content has other ids left. */
export async function takeUploadId(tx: Queries, content: string, id: string): Promise<boolean> {
  await tx.deleteFrom('upload_id').where('id', '=', id).execute()
  return hasIds(tx, content)
}

/**
 * The same bytes got a new content: all ids of `from` now count for `to`, and the id `to` itself is one more.
 */
export async function carryUploadIds(tx: Queries, from: string, to: string): Promise<void> {
  await addUploadId(tx, from, to)
  await tx.updateTable('upload_id').set({ content_id: to }).where('content_id', '=', from).execute()
}

export async function dropUploadIds(tx: Queries, contents: readonly string[]): Promise<void> {
  await tx.deleteFrom('upload_id').where('content_id', 'in', contents).execute()
}
