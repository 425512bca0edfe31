/**
 * The ids of uploads. Equal bytes become one file, but each uploader may delete by the id of its own upload.
 * So a file has as many ids as uploads, and is deleted with its last id. See the migration
 * `0016-upload-ids.ts`.
 */
import type { Queries } from '../../database/database.ts'
import { findById, type MediaRow } from './media.store.ts'

/** Whether rows here name this content; a content with only its own id has no row. */
async function hasIds(db: Queries, content: string): Promise<boolean> {
  const found = await db
    .selectFrom('upload_id')
    .select('id')
    .where('content_id', '=', content)
    .limit(1)
    .execute()
  return found.length > 0
}

/** Whether this upload was recorded as a further id of existing content. */
export async function isUploadId(db: Queries, id: string): Promise<boolean> {
  return (await db.selectFrom('upload_id').select('id').where('id', '=', id).execute()).length > 0
}

/** The file in the library with this id. Ids of files in the trash find nothing until a restore. */
export async function findByUploadId(db: Queries, id: string): Promise<MediaRow | null> {
  const kept = await db.selectFrom('upload_id').select('content_id').where('id', '=', id).executeTakeFirst()
  if (kept) return findById(db, kept.content_id)
  // If a file has rows here without its own id, that id was deleted.
  return (await hasIds(db, id)) ? null : findById(db, id)
}

export async function addUploadId(tx: Queries, content: string, id: string): Promise<void> {
  const ids = (await hasIds(tx, content)) ? [id] : [content, id]
  await tx
    .insertInto('upload_id')
    .values(ids.map(each => ({ id: each, content_id: content })))
    .execute()
}

/** Removes an id. True if the content has other ids left. */
export async function takeUploadId(tx: Queries, content: string, id: string): Promise<boolean> {
  await tx.deleteFrom('upload_id').where('id', '=', id).execute()
  return hasIds(tx, content)
}

/** The content `to` takes the place of `from`, with the same bytes: all ids of `from` now find `to`. */
export async function carryUploadIds(tx: Queries, from: string, to: string): Promise<void> {
  await addUploadId(tx, from, to)
  await tx.updateTable('upload_id').set({ content_id: to }).where('content_id', '=', from).execute()
}

export async function dropUploadIds(tx: Queries, contents: readonly string[]): Promise<void> {
  await tx.deleteFrom('upload_id').where('content_id', 'in', contents).execute()
}
