/** Rows of messages: uploads being gathered, what waits to be sent, what was told of the disk. */
import type { Selectable } from 'kysely'
import type { UploadNotice } from '../../contract/notify.ts'
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
    senders: JSON.parse(row.senders) as string[],
    paths: JSON.parse(row.paths) as string[],
    dueAt: Number(row.due_at),
  }
}

export async function putNotice(tx: Queries, notice: UploadNotice, dueAt: number): Promise<void> {
  const values = {
    files: notice.files,
    bytes: notice.bytes,
    senders: JSON.stringify(notice.senders),
    paths: JSON.stringify(notice.paths),
    due_at: dueAt,
  }
  await tx
    .insertInto('upload_notice')
    .values({ nr: THE_NOTICE, ...values })
    .onConflict(conflict => conflict.column('nr').doUpdateSet(values))
    .execute()
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
