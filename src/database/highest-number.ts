/** The highest number in a table. */
import type { Queries } from './database.ts'

/** From the index, without counting; 0 if the table is empty. */
export async function highestNumber(
  db: Queries,
  table: 'media' | 'trash' | 'history' | 'administration',
): Promise<number> {
  const row = await db.selectFrom(table).select('nr').orderBy('nr', 'desc').limit(1).executeTakeFirst()
  return row?.nr ?? 0
}
