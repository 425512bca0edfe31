/**
 * Queries that run for every upload. Each is compiled once per engine, because compiling it costs more than
 * running it.
 */
import type { Compilable, RawBuilder } from 'kysely'
import type { Queries } from './database.ts'
import { type EngineDialect, executorOf } from './kysely-through.ts'

/** A placeholder for the value of this name. */
class Placeholder {
  constructor(readonly name: PropertyKey) {}
}

interface CompiledQuery {
  sql: string
  /** Each is a `Place` or a constant. */
  parameters: readonly unknown[]
}

/** Wraps a raw SQL statement so that `keptQuery` accepts it. */
export const compilable = <Row>(db: Queries, statement: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => statement.compile(db),
})

/**
 * Returns a function that runs the query which `build` returns. `build` gets placeholders instead of values:
 * each must be a whole parameter of the query, and `build` must not compare or combine them.
 */
export function keptQuery<Values extends object, Row>(
  build: (db: Queries, values: Values) => Compilable<Row>,
): (db: Queries, values: Values) => Promise<Row[]> {
  const compiledQueries = new Map<EngineDialect, CompiledQuery>()
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(name) }) as Values

  return async (db, values) => {
    const { executor, engine } = executorOf(db)
    let query = compiledQueries.get(engine)
    if (!query) {
      query = build(db, placeholders).compile()
      compiledQueries.set(engine, query)
    }
    const parameters = query.parameters.map(each =>
      each instanceof Placeholder ? values[each.name as keyof Values] : each,
    )
    return (await executor.executeQuery<Row>({ sql: query.sql, parameters })).rows
  }
}
