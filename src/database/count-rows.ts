/** How many rows a query finds. */
import type { SelectQueryBuilder } from 'kysely'

/** `query`: without a selection. PostgreSQL returns a count as text. */
export async function countRows<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const counted = query.select(({ fn }) => fn.countAll<number | string>().as('count'))
  const { count } = (await counted.executeTakeFirstOrThrow()) as { count: number | string }
  return Number(count)
}
