/**
 * A lock that lasts at most as long as its process: the system releases it when the process ends, however it
 * ends. It works across containers that share a folder. The runtime has no file locks, so SQLite is used,
 * which takes them on every platform.
 */
import { Database as Connection, SQLiteError } from 'bun:sqlite'

export interface ProcessLock {
  release(): void
}

/**
 * Takes the lock and creates its file if it is missing. Null if a running process holds the lock; throws if
 * this cannot be determined.
 */
export function tryLock(file: string): ProcessLock | null {
  const connection = new Connection(file, { create: true })
  try {
    connection.run('pragma busy_timeout = 0')
    // Nothing is ever written to the file, so no journal is needed beside it.
    connection.run('pragma journal_mode = memory')
    connection.run('begin exclusive')
    return { release: () => connection.close() }
  } catch (error) {
    connection.close()
    if (error instanceof SQLiteError && (error.code ?? '').startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
