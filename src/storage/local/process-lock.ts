/**
 * A lock that lasts as long as the process that holds it: the system itself releases it when the process
 * ends, however it ends, also across containers that share a folder. The runtime has no call for file locks,
 * SQLite takes them on every platform.
 */
import { Database as Connection, SQLiteError } from 'bun:sqlite'

export interface ProcessLock {
  release(): void
}

/**
 * A lock that several processes may hold at the same time, and that keeps `tryLock` from succeeding
 * meanwhile. Needs no right to write, but the file must be there.
 */
export function shareLock(file: string): ProcessLock {
  const connection = new Connection(file, { readonly: true })
  connection.run('begin')
  connection.query('select 1 from sqlite_schema').get()
  return { release: () => connection.close() }
}

/**
 * Creates the file when it is missing. Null when a living process holds the lock; throws when that cannot be
 * told.
 */
export function tryLock(file: string): ProcessLock | null {
  const connection = new Connection(file, { create: true })
  try {
    connection.run('pragma busy_timeout = 0')
    // Nothing is ever written here, so no journal needs to lie beside the file.
    connection.run('pragma journal_mode = memory')
    connection.run('begin exclusive')
    return { release: () => connection.close() }
  } catch (error) {
    connection.close()
    if (error instanceof SQLiteError && (error.code ?? '').startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
