/**
 * Queries that run often, such as for every upload. Each is compiled once per engine, because compiling it
 * costs more than running it.
 */
import type { Compilable, RawBuilder } from 'kysely'
import type { Queries } from './database.ts'
import { type EngineDialect, executorOf } from './kysely-through.ts'

/** Stands in a compiled query for the value with this name. */
class Placeholder {
  constructor(readonly name: PropertyKey) {}
}

interface CompiledQuery {
  sql: string
  /** Each is a `Placeholder` or a constant. */
  parameters: readonly unknown[]
}

/** Makes a raw SQL statement acceptable for `keptQuery`. */
export const compilable = <Row>(db: Queries, statement: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => statement.compile(db),
})

/**
 * Returns a function that runs the query that `build` makes. `build` is called once per engine, with
 * placeholders instead of values: it must pass each to the query as it is, without comparing or combining it.
 */
export function keptQuery<Values extends object, Row>(
  build: (db: Queries, values: Values) => Compilable<Row>,
): (db: Queries, values: Values) => Promise<Row[]> {
  const compiledQueries = new Map<EngineDialect, CompiledQuery>()
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(name) }) as Values

  return async (db, values) => {
    const { executor, dialect } = executorOf(db)
    let query = compiledQueries.get(dialect)
    if (!query) {
      query = build(db, placeholders).compile()
      compiledQueries.set(dialect, query)
    }
    const parameters = query.parameters.map(each =>
      each instanceof Placeholder ? values[each.name as keyof Values] : each,
    )
    return (await executor.executeQuery<Row>({ sql: query.sql, parameters })).rows
  }
}
