/** Rows of the accounts that may sign in to the dashboard. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { AccountTable } from '../../database/schema.ts'

export interface Account {
  id: string
  name: string
  createdAt: number
  signedInAt: number | null
}

/** An account with its password hash. The hash never leaves this feature. */
interface AccountWithPassword extends Account {
  password: string
}

/** The form in which names are compared: two names that differ only in case are the same name. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()

export async function insertAccount(tx: Queries, account: AccountWithPassword): Promise<void> {
  const { id, name, password, createdAt, signedInAt } = account
  await tx
    .insertInto('account')
    .values({
      id,
      name,
      name_key: nameKey(name),
      password,
      created_at: createdAt,
      signed_in_at: signedInAt,
    })
    .execute()
}

export async function findAccountByName(
  queries: Queries,
  name: string,
): Promise<AccountWithPassword | undefined> {
  const row = await queries
    .selectFrom('account')
    .selectAll()
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst()
  return row && fromRow(row)
}

export async function findAccount(queries: Queries, id: string): Promise<AccountWithPassword | undefined> {
  const row = await queries.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** All accounts, the oldest first. */
export async function listAccounts(queries: Queries): Promise<AccountWithPassword[]> {
  const rows = await queries.selectFrom('account').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(fromRow)
}

export async function countAccounts(queries: Queries): Promise<number> {
  const { count } = await queries
    .selectFrom('account')
    .select(expression => expression.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Replaces the password hash `from` by `to`. Answers false, and changes nothing, when the stored hash is not `from`.
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

function fromRow(row: Selectable<AccountTable>): AccountWithPassword {
  const { id, name, password, created_at, signed_in_at } = row
  return { id, name, password, createdAt: created_at, signedInAt: signed_in_at }
}
