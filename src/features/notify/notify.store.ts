/** Rows of messages: uploads being gathered, what waits to be sent, what was told of the disk. */
import { type Selectable, sql } from 'kysely'
import { NOTICE_PATHS, type UploadNotice } from '../../contract/notify.ts'
import type { Occasion } from '../../contract/occasions.ts'
import type { Queries } from '../../database/database.ts'
import type { MessageTable } from '../../database/schema.ts'

export type Message = Selectable<MessageTable>

/** The only row of the notice. */
const THE_NOTICE = 1

export async function findNotice(db: Queries): Promise<(UploadNotice & { dueAt: number }) | null> {
  const row = await db.selectFrom('upload_notice').selectAll().executeTakeFirst()
  if (!row) return null
  return {
    files: Number(row.files),
    bytes: Number(row.bytes),
    senders: listed(row.senders),
    paths: listed(row.paths),
    dueAt: Number(row.due_at),
  }
}

export interface TokenUpload {
  path: string
  size: number
  /** The name of the token. */
  sender: string
}

/** Lists are text: each entry between line ends of its own, so that one statement can look for an entry and append it. */
const entry = (text: string) => `\n${text.replace(/\s+/g, ' ')}\n`
const listed = (text: string) => text.split('\n').filter(line => line !== '')

/** Room for more names than are ever shown. */
const SENDERS_LENGTH = 2000

/** One statement, written out: every upload with a token pays for it, and putting it together would cost more than running it. */
export async function addToNotice(tx: Queries, upload: TokenUpload, dueAt: number): Promise<void> {
  const { path, size, sender } = upload
  await sql`insert into upload_notice as notice (nr, files, bytes, senders, paths, due_at)
    values (${THE_NOTICE}, 1, ${size}, ${entry(sender)}, ${entry(path)}, ${dueAt})
    on conflict (nr) do update set
      files = notice.files + 1,
      bytes = notice.bytes + excluded.bytes,
      senders = case
        when length(notice.senders) > ${SENDERS_LENGTH} then notice.senders
        when replace(notice.senders, excluded.senders, '') <> notice.senders then notice.senders
        else notice.senders || excluded.senders end,
      paths = case when notice.files < ${NOTICE_PATHS} then notice.paths || excluded.paths else notice.paths end,
      due_at = excluded.due_at`.execute(tx)
}

export async function dropNotice(tx: Queries): Promise<void> {
  await tx.deleteFrom('upload_notice').execute()
}

export async function addMessage(tx: Queries, occasion: Occasion, text: string, at: number): Promise<void> {
  await tx.insertInto('message').values({ occasion, text, created_at: at, due_at: at }).execute()
}

/** The next one to be sent. Those that were never tried go first, so that one nobody accepts holds up no other. */
export async function dueMessage(db: Queries, at: number): Promise<Message | null> {
  const row = await db
    .selectFrom('message')
    .selectAll()
    .where('due_at', '<=', at)
    .orderBy('attempts')
    .orderBy('nr')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export async function dropMessage(tx: Queries, nr: number): Promise<void> {
  await tx.deleteFrom('message').where('nr', '=', nr).execute()
}

/** Tried in vain. What waits beside it goes to the same address, and waits as long. */
export async function postpone(tx: Queries, message: Message, dueAt: number): Promise<void> {
  await tx
    .updateTable('message')
    .set({ attempts: message.attempts + 1 })
    .where('nr', '=', message.nr)
    .execute()
  await tx.updateTable('message').set({ due_at: dueAt }).where('due_at', '<', dueAt).execute()
}

export async function toldLevel(db: Queries): Promise<number> {
  return (await db.selectFrom('disk_watch').select('told').executeTakeFirstOrThrow()).told
}

export async function setToldLevel(tx: Queries, told: number): Promise<void> {
  await tx.updateTable('disk_watch').set({ told }).execute()
}
