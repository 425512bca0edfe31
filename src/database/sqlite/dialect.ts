/**
 * Creates Kysely objects that query a `bun:sqlite` connection. Kysely's own SQLite driver begins deferred
 * transactions and locks the connection for each query. Neither is needed here: `sqlite.ts` has one
 * connection for reading and one for transactions, which run one after the other. So this driver only runs
 * statements.
 */
import type { Database as Connection, SQLQueryBindings, Statement } from 'bun:sqlite'
import { type QueryResult, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { createKysely, type EngineDialect, type Executor } from '../create-kysely.ts'
import type { Queries } from '../database.ts'

/** Maximum number of compiled statements per connection. The least recently used one is dropped. */
const MAX_CACHED_STATEMENTS = 200

interface PreparedStatement {
  statement: Statement
  returnsRows: boolean
}

function createStatementCache(connection: Connection) {
  const statements = new Map<string, PreparedStatement>()
  function prepare(text: string): PreparedStatement {
    let preparedStatement = statements.get(text)
    if (!preparedStatement) {
      const statement = connection.prepare(text)
      // Reading the column names costs as much as running a short statement, so `returnsRows` is cached.
      preparedStatement = { statement, returnsRows: statement.columnNames.length > 0 }
    }
    statements.delete(text)
    statements.set(text, preparedStatement)
    if (statements.size > MAX_CACHED_STATEMENTS) {
      const [oldestText, oldestStatement] = statements.entries().next().value!
      statements.delete(oldestText)
      oldestStatement.statement.finalize()
    }
    return preparedStatement
  }
  function clear(): void {
    for (const { statement } of statements.values()) statement.finalize()
    statements.clear()
  }
  return { prepare, clear }
}

export function executorOnConnection(connection: Connection): Executor {
  const { prepare, clear } = createStatementCache(connection)
  return {
    // An open statement would keep the file open.
    end: clear,
    async executeQuery<R>(query: Parameters<Executor['executeQuery']>[0]): Promise<QueryResult<R>> {
      const { statement, returnsRows } = prepare(query.sql)
      const parameters = query.parameters as SQLQueryBindings[]
      if (returnsRows) return { rows: statement.all(...parameters) as R[] }
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
  }
}

const SQLITE_DIALECT: EngineDialect = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}

export const kyselyOnConnection = (connection: Connection): Queries =>
  kyselyOnExecutor(executorOnConnection(connection))

export const kyselyOnExecutor = (executor: Executor): Queries => createKysely(executor, SQLITE_DIALECT)
