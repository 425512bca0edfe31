/**
 * Reads and writes the rows about messages: collected uploads, messages to be sent, and the last reported
 * level of disk usage (90 % or 95 %).
 */
import { type Selectable, sql } from 'kysely'
import type { Occasion } from '../../contract/service/occasions.ts'
import { MAX_NOTICE_PATHS, type UploadNotice } from '../../contract/service/upload-message.ts'
import { compileOnce, toCompilable } from '../../database/compile-once.ts'
import type { Queries } from '../../database/database.ts'
import { deadlinePassedCondition } from '../../database/deadline.ts'
import type { MessageTable } from '../../database/schema.ts'
import { MAX_RETRY_PAUSE } from './pauses.ts'

export type QueuedMessage = Selectable<MessageTable>

/** The number of the only row in `upload_notice`. */
const NOTICE_NR = 1

export async function findUploadNotice(db: Queries): Promise<(UploadNotice & { dueAt: number }) | null> {
  const row = await db.selectFrom('upload_notice').selectAll().executeTakeFirst()
  if (!row) return null
  return {
    fileCount: Number(row.files),
    bytes: Number(row.bytes),
    senders: splitList(row.senders),
    paths: splitList(row.paths),
    dueAt: Number(row.due_at),
  }
}

export interface TokenUpload {
  path: string
  size: number
  /** The name of the token. */
  sender: string
}

/**
 * A list is stored as text with a line end before and after each entry, so that one SQL statement can look
 * for an entry and append it.
 */
const toListEntry = (text: string) => `\n${text.replace(/\s+/g, ' ')}\n`
const splitList = (text: string) => text.split('\n').filter(entry => entry !== '')

/**
 * Maximum number of characters of the list of senders; no sender is appended to a longer list. A message
 * shows fewer names anyway.
 */
const MAX_SENDERS_LENGTH = 2000

type NoticeAddition = Record<'path' | 'sender', string> & Record<'size' | 'dueAt', number>

const upsertUploadNotice = compileOnce((db, { path, size, sender, dueAt }: NoticeAddition) =>
  toCompilable(
    db,
    sql`insert into upload_notice as notice (nr, files, bytes, senders, paths, due_at)
    values (${NOTICE_NR}, 1, ${size}, ${sender}, ${path}, ${dueAt})
    on conflict (nr) do update set
      files = notice.files + 1,
      bytes = notice.bytes + excluded.bytes,
      senders = case
        when length(notice.senders) > ${MAX_SENDERS_LENGTH} then notice.senders
        when replace(notice.senders, excluded.senders, '') <> notice.senders then notice.senders
        else notice.senders || excluded.senders end,
      paths = case when notice.files < ${MAX_NOTICE_PATHS} then notice.paths || excluded.paths else notice.paths end,
      due_at = excluded.due_at`,
  ),
)

/** Adds an upload to the notice, or creates the notice, in a single statement. */
export async function addToUploadNotice(tx: Queries, upload: TokenUpload, dueAt: number): Promise<void> {
  const { path, size, sender } = upload
  await upsertUploadNotice(tx, { path: toListEntry(path), sender: toListEntry(sender), size, dueAt })
}

export async function deleteUploadNotice(tx: Queries): Promise<void> {
  await tx.deleteFrom('upload_notice').execute()
}

export async function addMessage(tx: Queries, occasion: Occasion, text: string, time: number): Promise<void> {
  await tx.insertInto('message').values({ occasion, text, created_at: time, due_at: time }).execute()
}

/**
 * Finds the next message that is due. Messages with the fewest attempts come first, so that a message that is
 * always refused does not delay the others.
 */
export async function findDueMessage(db: Queries, time: number): Promise<QueuedMessage | null> {
  const row = await db
    .selectFrom('message')
    .selectAll()
    .where(deadlinePassedCondition('due_at', time, MAX_RETRY_PAUSE))
    .orderBy('attempts')
    .orderBy('nr')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export async function deleteMessage(tx: Queries, nr: number): Promise<void> {
  await tx.deleteFrom('message').where('nr', '=', nr).execute()
}

/**
 * Counts a failed attempt and postpones the message to `dueAt`. All other messages go to the same address, so
 * they wait at least as long.
 */
export async function postponeMessage(tx: Queries, message: QueuedMessage, dueAt: number): Promise<void> {
  await tx
    .updateTable('message')
    .set({ attempts: message.attempts + 1 })
    .where('nr', '=', message.nr)
    .execute()
  await tx.updateTable('message').set({ due_at: dueAt }).where('due_at', '<', dueAt).execute()
}

export async function readReportedLevel(db: Queries): Promise<number> {
  return (await db.selectFrom('disk_watch').select('told').executeTakeFirstOrThrow()).told
}

export async function setReportedLevel(tx: Queries, level: number): Promise<void> {
  await tx.updateTable('disk_watch').set({ told: level }).execute()
}
