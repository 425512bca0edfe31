/** Queries of every upload, compiled once per engine: compiling one costs more than running it. */
import type { Compilable, RawBuilder } from 'kysely'
import type { Queries } from './database.ts'
import { type EngineDialect, executorOf } from './kysely-through.ts'

/** A placeholder for the value of this name. */
class Place {
  constructor(readonly name: PropertyKey) {}
}

interface CompiledQuery {
  sql: string
  /** A placeholder, or a constant. */
  parameters: readonly unknown[]
}

/** A statement written as SQL, for `keptQuery`. */
export const compilable = <Row>(db: Queries, statement: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => statement.compile(db),
})

/** `build` gets placeholders: each is a whole value of the query, never a part, and never compared. */
export function keptQuery<Values extends object, Row>(
  build: (db: Queries, values: Values) => Compilable<Row>,
): (db: Queries, values: Values) => Promise<Row[]> {
  const kept = new Map<EngineDialect, CompiledQuery>()
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
