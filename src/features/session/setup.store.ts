/**
 * The set-up code: one per database, until the first account exists. It is stored in clear text, so that
 * every start can show it. Whoever can read it in the database can usually write an account there as well.
 */
import type { Queries } from '../../database/database.ts'

export async function insertSetupCode(tx: Queries, code: string, now: number): Promise<void> {
  await tx.insertInto('setup').values({ code, created_at: now }).execute()
}

export async function deleteSetupCode(tx: Queries): Promise<void> {
  await tx.deleteFrom('setup').execute()
}

export async function findSetupCode(queries: Queries): Promise<string | null> {
  const row = await queries.selectFrom('setup').select('code').executeTakeFirst()
  return row?.code ?? null
}
