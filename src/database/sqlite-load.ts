/** Makes a new database from given rows, with the schema version that the rows come from. */
import { Database as Connection } from 'bun:sqlite'
import type { Kysely } from 'kysely'
import type { Queries } from './database.ts'
import { migrate } from './migrate.ts'
import { kyselyConnection, kyselyOver } from './sqlite-dialect.ts'
import { SQLITE_TRAITS } from './sqlite-traits.ts'

export interface LoadOptions {
  /** The new database file; must not exist yet. */
  file: string
  migrations: readonly string[]
}

/**
 * Runs `fill` as one transaction; the database is complete and flushed when the promise resolves. Opening the database
 * later brings it to the newest schema, as with any database of an earlier version.
 */
export async function loadSqlite<T>(options: LoadOptions, fill: (tx: Queries) => Promise<T>): Promise<T> {
  const connection = new Connection(options.file, { create: true, strict: true })
  const statements = kyselyConnection(connection)
  try {
    // Without a journal: after a failure the caller deletes the whole file, so a rollback is never needed. No side file
    // may exist, because the database file is moved elsewhere afterwards.
    connection.run('pragma journal_mode = off')
    connection.run('pragma synchronous = full')
    connection.run('pragma temp_store = memory')
    const tx = kyselyOver(statements)
    connection.run('begin immediate')
    await migrate(tx as unknown as Kysely<unknown>, SQLITE_TRAITS, options.migrations)
    const result = await fill(tx)
    connection.run('commit')
    return result
  } finally {
    statements.end?.()
    connection.close()
  }
}
