/**
 * Ids of uploads. Equal bytes are one file, but each upload of them may delete what it was answered with: the file has
 * as many ids as there were uploads, and goes with the last. The migration says how they are kept.
 */
import type { Queries } from '../../database/database.ts'
import { findById, type MediaRow } from './media.store.ts'

/** Whether ids of this content are kept beside its own. */
async function hasIds(db: Queries, content: string): Promise<boolean> {
  const found = await db
    .selectFrom('upload_id')
    .select('id')
    .where('content_id', '=', content)
    .limit(1)
    .execute()
  return found.length > 0
}

/** The file in the library that an id still counts for. Those of files in the trash sleep. */
export async function findByUploadId(db: Queries, id: string): Promise<MediaRow | null> {
  const kept = await db.selectFrom('upload_id').select('content_id').where('id', '=', id).executeTakeFirst()
  if (kept) return findById(db, kept.content_id)
  // The own id of a file that has others too was deleted if it is not among them.
  return (await hasIds(db, id)) ? null : findById(db, id)
}

export async function addUploadId(tx: Queries, content: string, id: string): Promise<void> {
  const ids = (await hasIds(tx, content)) ? [id] : [content, id]
  await tx
    .insertInto('upload_id')
    .values(ids.map(each => ({ id: each, content_id: content })))
    .execute()
}

/** True while others are left. */
export async function takeUploadId(tx: Queries, content: string, id: string): Promise<boolean> {
  await tx.deleteFrom('upload_id').where('id', '=', id).execute()
  return hasIds(tx, content)
}

/** The same bytes got a new object: every id counts for it, and its own is one more. */
export async function carryUploadIds(tx: Queries, from: string, to: string): Promise<void> {
  await addUploadId(tx, from, to)
  await tx.updateTable('upload_id').set({ content_id: to }).where('content_id', '=', from).execute()
}

export async function dropUploadIds(tx: Queries, contents: readonly string[]): Promise<void> {
  await tx.deleteFrom('upload_id').where('content_id', 'in', contents).execute()
}
