/**
 * The port for replacing the whole database: a new database is filled beside the live one and takes its place
 * at the end. `restore` and `migrate` replace the objects too, `rebuild` only the rows.
 *
 * Invariants:
 * - Once the replacement has begun, no other process can begin to use the live database. If no live database
 *   exists yet, this holds from `load` or `fillOrResume` on at the latest. (SQLite: an exclusive lock on the
 *   file. PostgreSQL: an exclusive advisory lock; while it is held, no other process can write its row in
 *   `running`.)
 * - Until `swap`, the rows and objects of the live database are untouched, even after a crash. (Opening it on
 *   PostgreSQL may apply migrations.) After a crash, the next `rebuild` continues with the partly filled
 *   database. The next `migrate`, and on SQLite the next `restore` of the same archive, fills a new database
 *   but keeps the new objects that were already written. If a restore is not repeated, the next restore or
 *   start removes its remains.
 * - `swap` has one point of no return. A crash before that point leaves the live database in place. After a
 *   crash past it, the new database is in place (PostgreSQL), or the next process that opens the data folder
 *   finishes the swap first (SQLite). No other process ever writes to a database that is being replaced.
 * - The earlier state is kept, never deleted.
 */
import type { Storage } from '../storage/storage.ts'
import type { Database, Queries, QueryTraits } from './database.ts'
import type { Schema } from './schema.ts'

export interface Replacement {
  /** Whether the live database has a row in one of these tables; null if it cannot be read. */
  liveHasRows(tables: readonly (keyof Schema)[]): Promise<boolean | null>
  /** Whether the live state has objects, in the library or in the trash. */
  liveHasObjects(): Promise<boolean>
  /**
   * Puts the new database in the place of the live one. Returns the name under which the earlier state is
   * kept; null if there was none.
   */
  swap(): Promise<string | null>
  /** Must always be called at the end; only then can other processes use the live database again. */
  release(): Promise<void>
}

/**
 * A replacement with new rows and new objects, for `restore` and `migrate`. `release` without `swap` removes
 * both, except that `migrate` keeps the objects for its next attempt.
 */
export interface InstanceReplacement extends Replacement {
  /** Free disk space for the new objects, in bytes; null if unknown. */
  freeBytes(): Promise<number | null>
  /**
   * Creates the new database with only these migrations, and lets `writeRows` write the rows that fit them.
   * The other migrations are applied when the database is opened. Nobody sees the new rows before `swap`.
   * When `load` resolves, everything is flushed. Called once.
   */
  load<T>(migrations: readonly string[], writeRows: (newRows: NewRowsTarget) => Promise<T>): Promise<T>
}

export interface NewRowsTarget {
  tx: Queries
  queryTraits: QueryTraits
  /** The store of the objects that the new rows name. */
  storage: Storage
  /**
   * If the new objects are in the same store as the live ones: a text that the names of the new objects
   * contain, so that they can be told apart. Empty if the new objects have a store of their own.
   */
  mark: string
}

/** A replacement with new rows for the objects that are in the live store. */
export interface DatabaseReplacement extends Replacement {
  /**
   * Runs `work` on the new database. If an interrupted rebuild has left a new database, `work` continues with
   * it. Otherwise, if the live database has no files, not even in the trash, the new one is a copy of it, so
   * that accounts, settings and tokens made since the loss are kept. Otherwise the new database is empty.
   */
  fillOrResume<T>(work: (database: Database, storage: Storage) => Promise<T>): Promise<T>
}

/** Another process uses or replaces the database. */
export class DatabaseInUseError extends Error {
  readonly code = 'DATABASE_IN_USE'

  constructor(
    message: string,
    /** The machine and the start time of that process, if known. */
    readonly holder?: { host: string; startedAt: number },
  ) {
    super(message)
  }
}
