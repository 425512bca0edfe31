/** The highest row number (`nr`) in a table, and the last one that was assigned. */
import { NUMBERED_TABLES, type NumberedTable, type Queries, type QueryTraits } from './database.ts'

/** Reads the number from the end of the index, without counting rows; 0 if the table is empty. */
export async function readHighestRowNumber(db: Queries, table: NumberedTable): Promise<number> {
  const row = await db.selectFrom(table).select('nr').orderBy('nr', 'desc').limit(1).executeTakeFirst()
  return row?.nr ?? 0
}

/**
 * The last number that each numbered table assigned, even if that row was deleted; 0 if it has assigned none.
 * These numbers only grow.
 */
export async function readLastAssignedNumbers(
  db: Queries,
  queryTraits: QueryTraits,
): Promise<Record<string, number>> {
  const numbers: Record<string, number> = {}
  for (const table of NUMBERED_TABLES) {
    const { rows } = await queryTraits.lastNumber(table).execute(db)
    numbers[table] = Number(rows[0]?.last ?? 0)
  }
  return numbers
}
