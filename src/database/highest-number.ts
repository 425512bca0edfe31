/** The highest number in a table, and the last one that was assigned. */
import { COUNTING_TABLES, type CountingTable, type Queries, type QueryTraits } from './database.ts'

/** From the index, without counting; 0 if the table is empty. */
export async function highestNumber(db: Queries, table: CountingTable): Promise<number> {
  const row = await db.selectFrom(table).select('nr').orderBy('nr', 'desc').limit(1).executeTakeFirst()
  return row?.nr ?? 0
}

/** The last number that each counting table assigned, even if that row was deleted. They only grow. */
export async function lastNumbers(at: Queries, queries: QueryTraits): Promise<Record<string, number>> {
  const numbers: Record<string, number> = {}
  for (const table of COUNTING_TABLES) {
    const { rows } = await queries.lastNumber(table).execute(at)
    numbers[table] = Number(rows[0]?.last ?? 0)
  }
  return numbers
}
