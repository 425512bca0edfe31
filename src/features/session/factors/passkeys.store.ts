/** Reads and writes the rows of passkeys. */
import type { Insertable } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import type { PasskeyTable } from '../../../database/schema.ts'

/** The passkeys of an account, oldest first. */
export const listPasskeys = (queries: Queries, accountId: string) =>
  queries
    .selectFrom('passkey')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findPasskey = (queries: Queries, credential: string) =>
  queries.selectFrom('passkey').selectAll().where('credential', '=', credential).executeTakeFirst()

/** Stores a passkey. Returns false if the credential is registered already. */
export async function insertPasskey(tx: Queries, passkey: Insertable<PasskeyTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkey')
    .values(passkey)
    .onConflict(conflict => conflict.column('credential').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns the earlier name; undefined if the account has no such passkey. */
export async function renamePasskey(
  tx: Queries,
  { id, accountId, name }: { id: string; accountId: string; name: string },
): Promise<string | undefined> {
  const passkey = await findOwnPasskey(tx, id, accountId)
  await tx
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .execute()
  return passkey?.name
}

/** Returns the name of the deleted passkey; undefined if the account has no such passkey. */
export async function deletePasskey(tx: Queries, id: string, accountId: string): Promise<string | undefined> {
  const passkey = await findOwnPasskey(tx, id, accountId)
  await tx.deleteFrom('passkey').where('id', '=', id).where('account_id', '=', accountId).execute()
  return passkey?.name
}

const findOwnPasskey = (queries: Queries, id: string, accountId: string) =>
  queries
    .selectFrom('passkey')
    .select('name')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

/**
 * Records a use. Returns false if the passkey is gone, or if its counter has not increased, which suggests
 * that the passkey was copied (WebAuthn §6.1.1). A counter that stays at 0 is accepted: authenticators
 * without a counter always send 0.
 */
export async function recordPasskeyUse(
  tx: Queries,
  { id, counter, now }: { id: string; counter: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkey')
    .set({ counter, used_at: now })
    .where('id', '=', id)
    .where(({ eb, or, and }) =>
      or([eb('counter', '<', counter), and([eb('counter', '=', 0), eb.val(counter === 0)])]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
