/**
 * Exclusive use of an SQLite file by one process: of a database that is replaced or copied, or of a lock
 * file.
 */

import { Database as Connection, SQLiteError } from 'bun:sqlite'
import { attempt } from '../../base/attempt.ts'
import { exists } from '../../storage/local/exists.ts'
import { SIDE_FILE_SUFFIXES } from './file.ts'

export interface ExclusiveUse {
  /**
   * Whether one of the tables has a row; false if the database has no tables at all. Null if that cannot be
   * read: the file is damaged, is not a database, or has tables but not all of these.
   */
  hasRows(tables: readonly string[]): boolean | null
  /** Copies the database through memory, so it must be small: a database without rows of files. */
  copyTo(target: string): Promise<void>
  release(): void
}

const SQLITE_HEADER = 'SQLite format 3\0'

/**
 * Takes exclusive use of a file until `release`. If there is no file, creates a database without tables, so
 * that no other process can create one. Returns null if another process has the file open, even an idle one:
 * SQLite leaves WAL mode only for the sole user of a file (https://www.sqlite.org/wal.html, "Persistence of
 * WAL mode"). The next process that opens the file turns WAL mode on again. Some files are not locked and
 * count as unused: a damaged file, a file that is not a database, a missing file with side files
 * (`SIDE_FILE_SUFFIXES`), and a file that SQLite cannot lock for any reason other than a lock of another
 * process.
 */
export async function lockExclusively(file: string): Promise<ExclusiveUse | null> {
  if (!(await mayBeDatabase(file))) return UNREADABLE_FILE
  const connection = new Connection(file, { create: true, readwrite: true })
  try {
    connection.run('pragma busy_timeout = 0')
    // Leaves WAL mode. The journal is kept in memory: a journal file beside an empty database file would look
    // as if the database was lost.
    connection.run('pragma journal_mode = memory')
    // Writes the first page if the file is empty: SQLite notices that a file was moved only if the file is
    // not empty.
    connection.run('begin exclusive')
    connection.run('commit')
    // This transaction is the lock; it stays open until `release`.
    connection.run('begin exclusive')
  } catch (error) {
    if (isBusyError(error)) {
      connection.close()
      return null
    }
  }
  return {
    hasRows: tables => hasRows(connection, tables),
    copyTo: async target => void (await Bun.write(target, connection.serialize())),
    release: () => connection.close(),
  }
}

const UNREADABLE_FILE: ExclusiveUse = {
  hasRows: () => null,
  async copyTo() {
    throw new Error('a file that is not a database cannot be copied')
  },
  release() {},
}

/**
 * Whether it is safe to open the file with SQLite, which would delete the log beside a damaged or missing
 * database.
 */
async function mayBeDatabase(file: string): Promise<boolean> {
  const header = (await exists(file)) ? await Bun.file(file).slice(0, SQLITE_HEADER.length).text() : ''
  if (header !== '') return header === SQLITE_HEADER
  const sideFilesExist = await Promise.all(SIDE_FILE_SUFFIXES.map(suffix => exists(file + suffix)))
  return !sideFilesExist.some(Boolean)
}

const isBusyError = (error: unknown) =>
  error instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code ?? '')

function hasRows(connection: Connection, tables: readonly string[]): boolean | null {
  const tableHasRow = (table: string) => {
    // An open statement would keep the file open.
    using statement = connection.prepare(`select 1 from ${table} limit 1`)
    return statement.get() !== null
  }
  return attempt(() => tableHasRow('sqlite_schema') && tables.some(tableHasRow)) ?? null
}
