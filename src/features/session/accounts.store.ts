/** Rows of dashboard accounts. */
import type { Selectable } from 'kysely'
import { countRows } from '../../database/count-rows.ts'
import type { Queries } from '../../database/database.ts'
import type { AccountTable } from '../../database/schema.ts'

export type NewAccount = Omit<Selectable<AccountTable>, 'name_key'>

/** Without the password hash, which never leaves this feature. */
export type Account = Omit<NewAccount, 'password'>

/** Names that differ only in case are the same. */
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

/** Oldest first. */
export const listAccounts = (queries: Queries) =>
  queries.selectFrom('account').selectAll().orderBy('created_at').orderBy('id').execute()

export const countAccounts = (queries: Queries) => countRows(queries.selectFrom('account'))

/** Replaces the password hash `from` by `to`; false if the stored hash is not `from`. */
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

/** The database deletes the account's sessions along with the row. */
export async function deleteAccount(tx: Queries, id: string): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', id).execute()
}
