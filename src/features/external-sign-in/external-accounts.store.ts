/** Reads the rows of accounts that sign in with an external provider. */
import type { Queries } from '../../database/database.ts'
import { parseFolders } from '../session/accounts.store.ts'

export interface ExternalId {
  origin: string
  subject: string
}

export async function findExternalAccount(queries: Queries, { origin, subject }: ExternalId) {
  const row = await queries
    .selectFrom('account')
    .select(['id', 'name', 'role', 'folders'])
    .where('origin', '=', origin)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row ? { ...row, folders: parseFolders(row) } : null
}
