/**
 * Kysely on a `bun:sqlite` connection. Kysely's own SQLite driver begins deferred transactions and shares one
 * connection under a lock. Here every user of a connection already has exclusive access (`sqlite.ts`), so this driver
 * only runs statements.
 */
import type { Database as Connection, SQLQueryBindings, Statement } from 'bun:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Queries } from './database.ts'

/** Runs statements to their end. `Database.read` explains why no statement is streamed. */
export interface Executor extends Pick<DatabaseConnection, 'executeQuery'> {
  /** Finalizes every statement: while one is left, closing the connection does not close the file. */
  end?(): void
}

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

/**
 * Kysely would allow only one query at a time on the connection. Here a statement runs to its end without a pause, or
 * queues on the thread of `browse`, so queries cannot interfere with each other.
 */
class ReentrantAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const ownTransactions = async () => {
  throw new Error('transactions are begun through Database.transaction')
}

function neverStreamed(): never {
  throw new Error('lists are read in pages, never with .stream(): see Database.read')
}

export const kyselyOn = (connection: Connection): Queries => kyselyOver(kyselyConnection(connection))

/** Kysely that runs every query through `executor`. */
export function kyselyOver(executor: Executor): Queries {
  const only: DatabaseConnection = { ...executor, streamQuery: neverStreamed }
  const dialect: Dialect = {
    createAdapter: () => new ReentrantAdapter(),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => only,
      releaseConnection: async () => {},
      beginTransaction: ownTransactions,
      commitTransaction: ownTransactions,
      rollbackTransaction: ownTransactions,
      destroy: async () => executor.end?.(),
    }),
  }
  return new Kysely({ dialect })
}
