/** Reads and writes the rows of tickets, stored under the hash of the secret in their address. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { TicketTable } from '../../database/schema.ts'

export type TicketRow = Selectable<TicketTable>

export async function insertTicket(tx: Queries, row: TicketRow): Promise<void> {
  await tx.insertInto('ticket').values(row).execute()
}

export async function countTickets(db: Queries, tokenId: string): Promise<number> {
  const { count } = await db
    .selectFrom('ticket')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Finds a ticket, even an expired one while its row exists. */
export async function findTicket(db: Queries, hash: string): Promise<TicketRow | null> {
  return (await db.selectFrom('ticket').selectAll().where('hash', '=', hash).executeTakeFirst()) ?? null
}

/** Counts a use, and deletes a ticket that is used up. Returns false if the ticket or its token is gone. */
export async function spendTicketUse(tx: Queries, hash: string): Promise<boolean> {
  const updatedTicket = await tx
    .updateTable('ticket')
    .set(({ eb }) => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('hash', '=', hash)
    .where('token_id', 'in', tx.selectFrom('token').select('id'))
    .returning('uses_left')
    .executeTakeFirst()
  if (updatedTicket?.uses_left === 0) await tx.deleteFrom('ticket').where('hash', '=', hash).execute()
  return updatedTicket !== undefined
}

export async function deleteExpiredTickets(
  tx: Queries,
  { expiredBefore }: { expiredBefore: number },
): Promise<void> {
  await tx.deleteFrom('ticket').where('valid_until', '<', expiredBefore).execute()
}
