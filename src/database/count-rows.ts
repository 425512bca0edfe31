/** Counts the rows that a query finds. */
import type { SelectQueryBuilder } from 'kysely'

/** Counts the rows that `query` finds. It must not select any columns yet. */
export async function countRows<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const countQuery = query.select(({ fn }) => fn.countAll<number | string>().as('count'))
  const { count } = (await countQuery.executeTakeFirstOrThrow()) as { count: number | string }
  return Number(count)
}
