import type { Queries } from '../../database/database.ts'

/** The only code from now on. */
export async function openSetup(tx: Queries, codeHash: string, now: number): Promise<void> {
  await closeSetup(tx)
  await tx.insertInto('setup').values({ code_hash: codeHash, created_at: now }).execute()
}

export async function closeSetup(tx: Queries): Promise<void> {
  await tx.deleteFrom('setup').execute()
}

export async function setupCodeHash(queries: Queries): Promise<string | null> {
  const row = await queries.selectFrom('setup').select('code_hash').executeTakeFirst()
  return row?.code_hash ?? null
}
