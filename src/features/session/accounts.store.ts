/** Rows of the accounts that may sign in to the dashboard. */
import type { Selectable } from 'kysely'
import { countRows } from '../../database/count-rows.ts'
import type { Queries } from '../../database/database.ts'
import type { AccountTable } from '../../database/schema.ts'

export type NewAccount = Omit<Selectable<AccountTable>, 'name_key'>

/** An account without the hash of its password, which never leaves this feature. */
export type Account = Omit<NewAccount, 'password'>

/** The form in which names are compared: two names that differ only in case are the same name. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()

export async function insertAccount(tx: Queries, account: NewAccount): Promise<void> {
  await tx
    .insertInto('account')
    .values({ ...account, name_key: nameKey(account.name) })
    .execute()
}

export const findAccountByName = (queries: Queries, name: string) =>
  queries.selectFrom('account').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst()

export const findAccount = (queries: Queries, id: string) =>
  queries.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()

/** All accounts, the oldest first. */
export const listAccounts = (queries: Queries) =>
  queries.selectFrom('account').selectAll().orderBy('created_at').orderBy('id').execute()

export const countAccounts = (queries: Queries) => countRows(queries.selectFrom('account'))

/**
 * Replaces the password hash `from` by `to`. Answers false, and changes nothing, when the stored hash is not
 * `from`.
 */
export async function replacePassword(
  tx: Queries,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ password: to })
    .where('id', '=', id)
    .where('password', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Deletes the account; the database deletes its sessions along with the row. */
export async function deleteAccount(tx: Queries, id: string): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', id).execute()
}
