/**
 * Runs frequent queries, such as the queries of every upload. Kysely compiles each of them only once per
 * engine, because compiling a query takes longer than running it.
 */
import type { Compilable, RawBuilder } from 'kysely'
import { type EngineDialect, executorOf } from './create-kysely.ts'
import type { Queries } from './database.ts'

/** Stands for the value with this name in a compiled query. */
class Placeholder {
  constructor(readonly name: PropertyKey) {}
}

interface CompiledQuery {
  sql: string
  /** Each is a `Placeholder` or a constant. */
  parameters: readonly unknown[]
}

/** Wraps a raw SQL statement for `compileOnce`. */
export const toCompilable = <Row>(db: Queries, statement: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => statement.compile(db),
})

/**
 * Returns a function that runs a query with the given values. `build` makes the query; it is called when the
 * function first runs on an engine, with placeholders instead of values. It must pass each placeholder to the
 * query as it is, without comparing or combining it.
 */
export function compileOnce<Values extends object, Row>(
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
    const parameters = query.parameters.map(parameter =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    return (await executor.executeQuery<Row>({ sql: query.sql, parameters })).rows
  }
}
