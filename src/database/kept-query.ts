/**
 * Queries that run with every upload: written with the query builder once, compiled once for each engine, and
 * from then on only run. Building and compiling such a query anew costs more than running it.
 */
import type { Compilable, RawBuilder } from 'kysely'
import type { Queries } from './database.ts'
import { type EngineDialect, executorOf } from './kysely-through.ts'

/** Stands in the built query where the value of this name comes at each run. */
class Place {
  constructor(readonly name: PropertyKey) {}
}

interface Kept {
  sql: string
  /** A place, or a value that is the same at each run. */
  parameters: readonly unknown[]
}

/** A statement written as SQL, for `keptQuery`. */
export const compilable = <Row>(db: Queries, statement: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => statement.compile(db),
})

/**
 * `build` gets a stand-in for each value: a whole value of the query, never a part of one, and never compared
 * in `build`.
 */
export function keptQuery<Values extends object, Row>(
  build: (db: Queries, values: Values) => Compilable<Row>,
): (db: Queries, values: Values) => Promise<Row[]> {
  const kept = new Map<EngineDialect, Kept>()
  const places = new Proxy({}, { get: (_, name) => new Place(name) }) as Values

  return async (db, values) => {
    const { executor, engine } = executorOf(db)
    let query = kept.get(engine)
    if (!query) {
      query = build(db, places).compile()
      kept.set(engine, query)
    }
    const parameters = query.parameters.map(each =>
      each instanceof Place ? values[each.name as keyof Values] : each,
    )
    return (await executor.executeQuery<Row>({ sql: query.sql, parameters })).rows
  }
}
