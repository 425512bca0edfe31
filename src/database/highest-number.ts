/** The highest number in a table. */
import type { CountingTable, Queries } from './database.ts'

/** From the index, without counting; 0 if the table is empty. */
export async function highestNumber(db: Queries, table: CountingTable): Promise<number> {
  const row = await db.selectFrom(table).select('nr').orderBy('nr', 'desc').limit(1).executeTakeFirst()
  return row?.nr ?? 0
}
