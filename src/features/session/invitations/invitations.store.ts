/** Reads and writes the rows of invitations. Only a hash of the code in the link is stored. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import type { InvitationTable } from '../../../database/schema.ts'

export type Invitation = Selectable<InvitationTable>

export async function insertInvitation(tx: Queries, invitation: Invitation): Promise<void> {
  await tx.insertInto('invitation').values(invitation).execute()
}

/** Invitations that have not expired, newest first. */
export const listInvitations = (queries: Queries, now: number) =>
  queries
    .selectFrom('invitation')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

export async function isInvitationOpen(queries: Queries, codeHash: string, now: number): Promise<boolean> {
  const invitation = await queries
    .selectFrom('invitation')
    .select('id')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return invitation !== undefined
}

/**
 * Deletes and returns the invitation with this code, unless it has expired. Of several concurrent attempts,
 * only one gets the invitation.
 */
export const takeInvitation = (tx: Queries, codeHash: string, now: number) =>
  tx
    .deleteFrom('invitation')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()

export const deleteInvitation = (tx: Queries, id: string) =>
  tx.deleteFrom('invitation').where('id', '=', id).returningAll().executeTakeFirst()

/** Deletes and returns the invitations by `creator`, which is an actor in the form of `actorText`. */
export const deleteInvitationsBy = (tx: Queries, creator: string) =>
  tx.deleteFrom('invitation').where('created_by', '=', creator).returningAll().execute()

export async function limitInvitationExpiry(tx: Queries, latestExpiry: number): Promise<void> {
  await tx
    .updateTable('invitation')
    .set({ expires_at: latestExpiry })
    .where('expires_at', '>', latestExpiry)
    .execute()
}

export async function deleteExpiredInvitations(tx: Queries, now: number): Promise<void> {
  await tx.deleteFrom('invitation').where('expires_at', '<=', now).execute()
}
