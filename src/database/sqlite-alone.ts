/** Checks a database file before it is replaced: whether another process uses it, and whether it has rows. */
import { Database as Connection, SQLiteError } from 'bun:sqlite'

/** Exclusive access to a file, until `release`. */
export interface Alone {
  release(): void
}

/**
 * Takes exclusive access. Null when another process has the file open, even an idle process: SQLite leaves the WAL mode
 * only for the sole user of a file (https://www.sqlite.org/wal.html, "Persistence of WAL mode"). The next process that
 * opens the file turns the WAL mode on again. A file that is not a database, or a damaged one, counts as unused.
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

/** Whether one of the tables has a row; true also when this cannot be determined. */
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
