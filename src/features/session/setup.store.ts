/**
 * The code that opens the set-up: one per data folder, until the first account exists. The code is stored in
 * clear text, so that every start can show the same code. This gives nothing away: whoever can read the code
 * in the database can write an account into the same database as well.
 */
import type { Queries } from '../../database/database.ts'

export async function openSetup(tx: Queries, code: string, now: number): Promise<void> {
  await tx.insertInto('setup').values({ code, created_at: now }).execute()
}

export async function closeSetup(tx: Queries): Promise<void> {
  await tx.deleteFrom('setup').execute()
}

export async function setupCode(queries: Queries): Promise<string | null> {
  const row = await queries.selectFrom('setup').select('code').executeTakeFirst()
  return row?.code ?? null
}
