/**
 * Kysely on a `bun:sqlite` connection. Kysely's own SQLite driver begins deferred transactions and shares one
 * connection under a lock. Here every user of a connection already has exclusive access (`sqlite.ts`), so this driver
 * only runs statements.
 */
import type { Database as Connection, SQLQueryBindings, Statement } from 'bun:sqlite'
import {
  type CompiledQuery,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Queries } from './database.ts'
import { type EngineDialect, type Executor, kyselyThrough } from './kysely-through.ts'

/** Compiled statements kept for each connection; the least recently used one is dropped first. */
const STATEMENTS_KEPT = 200

function statementCache(connection: Connection) {
  const statements = new Map<string, Statement>()
  function prepare(text: string): Statement {
    const known = statements.get(text)
    const statement = known ?? connection.prepare(text)
    statements.delete(text)
    statements.set(text, statement)
    if (statements.size > STATEMENTS_KEPT) {
      const [oldest, unused] = statements.entries().next().value!
      statements.delete(oldest)
      unused.finalize()
    }
    return statement
  }
  function clear(): void {
    for (const statement of statements.values()) statement.finalize()
    statements.clear()
  }
  return { prepare, clear }
}

export function kyselyConnection(connection: Connection): Executor {
  const { prepare, clear } = statementCache(connection)
  return {
    // While a statement is left, closing the connection does not close the file.
    end: clear,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const statement = prepare(query.sql)
      const parameters = query.parameters as SQLQueryBindings[]
      if (statement.columnNames.length > 0) return { rows: statement.all(...parameters) as R[] }
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
  }
}

const SQLITE: EngineDialect = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}

export const kyselyOn = (connection: Connection): Queries => kyselyOver(kyselyConnection(connection))

/** Kysely that runs every query through `executor`. */
export const kyselyOver = (executor: Executor): Queries => kyselyThrough(executor, SQLITE)
