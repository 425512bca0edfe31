/** Exclusive use of a database file, for replacing it while no other process has it open. */

import { Database as Connection, SQLiteError } from 'bun:sqlite'
import { attempt } from '../../base/attempt.ts'
import { exists } from '../../storage/local/exists.ts'
import { SIDE_FILE_SUFFIXES } from './file.ts'

export interface ExclusiveUse {
  /** Whether one of the tables has a row. Null for a damaged or foreign file; false for an empty one. */
  hasRows(tables: readonly string[]): boolean | null
  /** Copies the database through memory, so use it only for a database that records no files. */
  copyTo(file: string): Promise<void>
  release(): void
}

const SQLITE_HEADER = 'SQLite format 3\0'

/**
 * Takes exclusive use of a file until `release`; creates a database without tables if there is none, so that
 * nobody else can begin one. Null if another process has the file open, even an idle one: SQLite leaves WAL
 * mode only for the sole user of a file (https://www.sqlite.org/wal.html, "Persistence of WAL mode"). The
 * next process that opens the file turns WAL mode on again. A file that is no database, or a damaged one,
 * counts as unused.
 */
export async function holdExclusively(file: string): Promise<ExclusiveUse | null> {
  if (!(await mayBeDatabase(file))) return UNREADABLE_FILE
  const connection = new Connection(file, { create: true, readwrite: true })
  try {
    connection.run('pragma busy_timeout = 0')
    // Leaves WAL mode. The journal is in memory, because one on disk beside an empty file would look like a
    // lost database.
    connection.run('pragma journal_mode = memory')
    // Writes the first page of an empty file: SQLite notices that a file was moved only if it is not empty.
    connection.run('begin exclusive')
    connection.run('commit')
    // This transaction is the lock; it stays open until `release`.
    connection.run('begin exclusive')
  } catch (error) {
    if (isBusy(error)) {
      connection.close()
      return null
    }
  }
  return {
    hasRows: tables => hasRows(connection, tables),
    copyTo: async copy => void (await Bun.write(copy, connection.serialize())),
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

/** Whether SQLite may open the file. SQLite would delete the files beside a broken or missing database. */
async function mayBeDatabase(file: string): Promise<boolean> {
  const header = (await exists(file)) ? await Bun.file(file).slice(0, SQLITE_HEADER.length).text() : ''
  if (header !== '') return header === SQLITE_HEADER
  const sideFilesExist = await Promise.all(SIDE_FILE_SUFFIXES.map(end => exists(file + end)))
  return !sideFilesExist.some(Boolean)
}

const isBusy = (error: unknown) =>
  error instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code ?? '')

function hasRows(connection: Connection, tables: readonly string[]): boolean | null {
  const hasRow = (table: string) => {
    // An open statement would keep the file open.
    using statement = connection.prepare(`select 1 from ${table} limit 1`)
    return statement.get() !== null
  }
  return attempt(() => hasRow('sqlite_schema') && tables.some(hasRow)) ?? null
}
