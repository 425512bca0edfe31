/** Reads and writes the rows of sessions, stored under the hash of the cookie's secret. */

import type { Queries } from '../../database/database.ts'
import type { Actor } from '../../http/access/actor.ts'
import type { Device, Session } from '../../http/access/callers.ts'
import { recordAdministration } from '../history/administration.store.ts'
import { parseFolders } from './accounts.store.ts'

/** A session. `seenAt` is the time of its last use according to the database; null if none is recorded. */
export type SessionWithLastUse = Session & { seenAt: number | null }

export async function insertSession(
  tx: Queries,
  session: Session,
  { now, device }: { now: number; device: Device },
): Promise<void> {
  const { id, account, expiresAt } = session
  await tx
    .insertInto('session')
    .values({
      hash: id,
      account_id: account.id,
      created_at: now,
      expires_at: expiresAt,
      ...device,
      seen_at: now,
    })
    .execute()
  await tx.updateTable('account').set({ signed_in_at: now }).where('id', '=', account.id).execute()
}

/** Finds a session, even an expired one while its row exists. */
export async function findSession(queries: Queries, hash: string): Promise<SessionWithLastUse | null> {
  const row = await queries
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select(['session.expires_at', 'session.seen_at', 'account.id', 'account.name', 'role', 'folders'])
    .where('session.hash', '=', hash)
    .executeTakeFirst()
  if (!row) return null
  const { id, name, role, expires_at, seen_at } = row
  const account = { id, name, role, folders: parseFolders(row) }
  return { id: hash, account, expiresAt: expires_at, seenAt: seen_at }
}

/** Sessions of an account that have not expired, the last used first. */
export const listSessions = (queries: Queries, accountId: string, now: number) =>
  queries
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy(({ fn }) => fn.coalesce('seen_at', 'created_at'), 'desc')
    .orderBy('hash')
    .execute()

export async function deleteSession(tx: Queries, hash: string): Promise<void> {
  await tx.deleteFrom('session').where('hash', '=', hash).execute()
}

/** Deletes the sessions of an account, except the one with the hash `keptHash`. */
export async function deleteSessionsOf(tx: Queries, accountId: string, keptHash?: string): Promise<void> {
  const deleteQuery = tx.deleteFrom('session').where('account_id', '=', accountId)
  await (keptHash === undefined ? deleteQuery : deleteQuery.where('hash', '!=', keptHash)).execute()
}

/** Records in the administration history that somebody has ended sessions of the account with this name. */
export const recordSessionsEnd = (tx: Queries, actor: Actor, time: number, name: string) =>
  recordAdministration(tx, actor, time, { what: 'sitzungen_beendet', old: null, new: name })

export async function limitSessionExpiry(tx: Queries, latestExpiry: number): Promise<void> {
  await tx
    .updateTable('session')
    .set({ expires_at: latestExpiry })
    .where('expires_at', '>', latestExpiry)
    .execute()
}

export async function deleteExpiredSessions(tx: Queries, now: number): Promise<void> {
  await tx.deleteFrom('session').where('expires_at', '<=', now).execute()
}
