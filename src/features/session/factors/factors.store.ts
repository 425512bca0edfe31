/**
 * Reads and writes the rows of authenticator apps and emergency codes. Also finds and removes all second
 * factors of an account.
 */
import { sql } from 'kysely'
import type { Queries } from '../../../database/database.ts'

export interface AccountFactors {
  hasTotp: boolean
  passkeyCount: number
}

/**
 * The second factors of all accounts, or of `accountId` alone. An account without any is not in the map. An
 * authenticator app counts only once it is confirmed.
 */
export async function factorsByAccount(
  queries: Queries,
  accountId?: string,
): Promise<ReadonlyMap<string, AccountFactors>> {
  const appRows = await queries
    .selectFrom('totp')
    .select('account_id')
    .where('confirmed_at', 'is not', null)
    .$if(accountId !== undefined, select => select.where('account_id', '=', accountId!))
    .execute()
  const passkeyRows = await queries
    .selectFrom('passkey')
    .select(['account_id', sql<number>`count(*)`.as('count')])
    .$if(accountId !== undefined, select => select.where('account_id', '=', accountId!))
    .groupBy('account_id')
    .execute()
  const passkeyCounts = new Map(passkeyRows.map(({ account_id, count }) => [account_id, Number(count)]))
  const accountsWithApp = new Set(appRows.map(({ account_id }) => account_id))
  const ids = [...new Set([...accountsWithApp, ...passkeyCounts.keys()])]
  return new Map(
    ids.map(id => [id, { hasTotp: accountsWithApp.has(id), passkeyCount: passkeyCounts.get(id) ?? 0 }]),
  )
}

export const NO_FACTORS: AccountFactors = { hasTotp: false, passkeyCount: 0 }

export const factorsOf = async (queries: Queries, accountId: string): Promise<AccountFactors> =>
  (await factorsByAccount(queries, accountId)).get(accountId) ?? NO_FACTORS

/** The accounts with a confirmed authenticator app, sorted by name, with the encrypted secret of the app. */
export const listTotp = (queries: Queries) =>
  queries
    .selectFrom('totp')
    .innerJoin('account', 'account.id', 'totp.account_id')
    .select(['account.id', 'account.name', 'totp.secret'])
    .where('confirmed_at', 'is not', null)
    .orderBy('account.name')
    .execute()

/**
 * Removes all second factors of an account. Returns false if it had none; an unconfirmed authenticator app
 * does not count.
 */
export async function deleteFactors(tx: Queries, accountId: string): Promise<boolean> {
  const factors = await factorsOf(tx, accountId)
  await deleteTotp(tx, accountId)
  await tx.deleteFrom('passkey').where('account_id', '=', accountId).execute()
  return factors.hasTotp || factors.passkeyCount > 0
}

/** Deletes the authenticator app of an account and its emergency codes. */
export async function deleteTotp(tx: Queries, accountId: string): Promise<void> {
  await tx.deleteFrom('totp').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('emergency_code').where('account_id', '=', accountId).execute()
}

export const findTotp = (queries: Queries, accountId: string) =>
  queries.selectFrom('totp').selectAll().where('account_id', '=', accountId).executeTakeFirst()

/**
 * Stores an unconfirmed secret; replaces an earlier unconfirmed one. If the account has a confirmed one,
 * stores nothing and returns false.
 */
export async function insertTotp(
  tx: Queries,
  { accountId, secret, now }: { accountId: string; secret: string; now: number },
): Promise<boolean> {
  if ((await findTotp(tx, accountId))?.confirmed_at) return false
  await deleteTotp(tx, accountId)
  const newRow = { account_id: accountId, secret, created_at: now, confirmed_at: null, last_step: 0 }
  await tx.insertInto('totp').values(newRow).execute()
  return true
}

interface UsedStep {
  accountId: string
  /** The encrypted secret with which the code was checked; if it was replaced since, the code is refused. */
  secret: string
  /** The time step of the code: the number of its 30-second period (RFC 6238). */
  step: number
}

/**
 * Maximum number of time steps by which the stored step (the last one used) may be ahead of the step of a
 * code. A stored step that is further ahead dates from a wrong clock, and is ignored.
 */
const MAX_STEPS_AHEAD = 20

/**
 * Marks the code of a time step as used. Returns false if the code of this step, or of one of the
 * `MAX_STEPS_AHEAD` steps after it, was used before, or if the secret was replaced meanwhile.
 */
export async function spendTimeStep(tx: Queries, { accountId, secret, step }: UsedStep): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('secret', '=', secret)
    .where(({ eb, or }) => or([eb('last_step', '<', step), eb('last_step', '>', step + MAX_STEPS_AHEAD)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Confirms the secret and marks the code as used. Returns false if the secret was replaced or confirmed
 * meanwhile.
 */
export async function confirmTotp(tx: Queries, usedStep: UsedStep, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp')
    .set({ confirmed_at: now, last_step: usedStep.step })
    .where('account_id', '=', usedStep.accountId)
    .where('secret', '=', usedStep.secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function insertEmergencyCodes(
  tx: Queries,
  accountId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx
    .insertInto('emergency_code')
    .values(hashes.map(hash => ({ account_id: accountId, hash })))
    .execute()
}

/** Deletes an emergency code. Returns false if there is no such code, or if it was used before. */
export async function spendEmergencyCode(tx: Queries, accountId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('emergency_code')
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
