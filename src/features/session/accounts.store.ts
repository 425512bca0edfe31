/** Reads and writes the rows of dashboard accounts. */
import type { Selectable } from 'kysely'
import { outermostFolders } from '../../contract/accounts/roles.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Queries } from '../../database/database.ts'
import type { AccountTable } from '../../database/schema.ts'
import type { AccountRights } from '../../http/access/library-area.ts'
import type { Redirects } from '../folders/redirects.ts'

type AccountRow = Selectable<AccountTable>

type ExternalColumns = 'origin' | 'subject'

/** An account with its password hash, which is empty for an account with an external provider. */
export interface AccountWithPassword
  extends Omit<AccountRow, 'name_key' | 'folders' | ExternalColumns>,
    Partial<Pick<AccountRow, ExternalColumns>>,
    AccountRights {}

/** An account whose type hides the password hash, so that other features cannot use it. */
export type Account = Omit<AccountWithPassword, 'password'>

/** Whether the person signs in with an external provider; such an account has no password. */
export const isExternal = ({ password }: Pick<AccountWithPassword, 'password'>) => password === ''

/** The form in which account names are compared: in lower case, and in Unicode NFC. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()

export async function insertAccount(tx: Queries, account: AccountWithPassword): Promise<void> {
  await tx
    .insertInto('account')
    .values({ ...account, ...rightsColumns(account), name_key: nameKey(account.name) })
    .execute()
}

export async function findAccountByName(queries: Queries, name: string): Promise<AccountWithPassword | null> {
  return accountOf(await selectAccounts(queries).where('name_key', '=', nameKey(name)).executeTakeFirst())
}

export async function findAccount(queries: Queries, id: string): Promise<AccountWithPassword | null> {
  return accountOf(await selectAccounts(queries).where('id', '=', id).executeTakeFirst())
}

/** All accounts, oldest first. */
export async function listAccounts(queries: Queries): Promise<AccountWithPassword[]> {
  const rows = await selectAccounts(queries).orderBy('created_at').orderBy('id').execute()
  return rows.map(row => accountOf(row)!)
}

const selectAccounts = (queries: Queries) => queries.selectFrom('account').selectAll()

const accountOf = (row: AccountRow | undefined) => (row ? { ...row, folders: parseFolders(row) } : null)

export const countAccounts = (queries: Queries) => countRows(queries.selectFrom('account'))

export const countOperators = (queries: Queries) =>
  countRows(queries.selectFrom('account').where('role', '=', 'betreiber'))

/** The column `folders` as a list; null if the account is not limited to folders. */
export const parseFolders = ({ folders }: Pick<AccountRow, 'folders'>): readonly string[] | null =>
  folders === null ? null : JSON.parse(folders)

const rightsColumns = ({ role, folders }: AccountRights) => ({
  role,
  folders: folders && JSON.stringify(folders),
})

export async function setRights(tx: Queries, id: string, rights: AccountRights): Promise<void> {
  await tx.updateTable('account').set(rightsColumns(rights)).where('id', '=', id).execute()
}

/**
 * Replaces the password hash. Returns false if the stored hash is not `oldHash`, or if the account is gone.
 */
export async function replacePassword(
  tx: Queries,
  { id, oldHash, newHash }: { id: string; oldHash: string; newHash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ password: newHash })
    .where('id', '=', id)
    .where('password', '=', oldHash)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** All folders to which any account is limited, in one list that may contain duplicates. */
export const listAccountFolders = async (queries: Queries) =>
  (await listAccounts(queries)).flatMap(({ folders }) => folders ?? [])

export async function redirectAccountFolders(tx: Queries, redirects: Redirects): Promise<void> {
  for (const { id, role, folders } of await listAccounts(tx)) {
    if (!folders?.some(folder => redirects.has(folder))) continue
    const redirectedFolders = outermostFolders(folders.map(folder => redirects.get(folder) ?? folder))
    await setRights(tx, id, { role, folders: redirectedFolders })
  }
}

/** The database also deletes the rows that belong to the account, such as sessions and second factors. */
export async function deleteAccount(tx: Queries, id: string): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', id).execute()
}
