/** A database file looked at before it is replaced: whether anybody uses it, and whether anything is in it. */
import { Database as Connection, SQLiteError } from 'bun:sqlite'

/** Held until it is let go. */
export interface Alone {
  release(): void
}

/**
 * Null when another process has the file open, even one that does nothing with it: leaving the WAL mode needs to be
 * alone (https://www.sqlite.org/wal.html, "Persistence of WAL mode"). Whoever opens it the next time turns it on again.
 * A file that is no database, or a broken one, is nobody's.
 */
export function holdAlone(file: string): Alone | null {
  const connection = new Connection(file, { readwrite: true })
  try {
    connection.run('pragma busy_timeout = 0')
    connection.run('pragma journal_mode = delete')
    connection.run('begin exclusive')
  } catch (error) {
    if (isBusy(error)) {
      connection.close()
      return null
    }
  }
  return { release: () => connection.close() }
}

const isBusy = (error: unknown) =>
  error instanceof SQLiteError && (error.code ?? '').startsWith('SQLITE_BUSY')

/** Whether one of the tables has a row; also where that cannot be found out. */
export function mayHoldRows(file: string, tables: readonly string[]): boolean {
  try {
    const connection = new Connection(file, { readonly: true })
    try {
      return tables.some(table => connection.query(`select 1 from ${table} limit 1`).get() !== null)
    } finally {
      connection.close()
    }
  } catch {
    return true
  }
}
