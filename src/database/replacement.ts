/**
 * The port for replacing the whole database: a new one is filled beside the live one and takes its place at
 * the end. `restore` replaces the objects too, `rebuild` only the rows.
 *
 * Invariants:
 * - From `begin…` on, no other process can begin to use the live database. If there is none yet, this holds
 *   from `load` or `resume` on. (SQLite: an exclusive lock on the file. PostgreSQL: no instance has a living
 *   heartbeat, and none can begin one.)
 * - Until `swap`, the live database and its objects are untouched. After a crash they are as before; what was
 *   filled so far is removed by the next restore or start, and resumed by the next rebuild.
 * - `swap` has one point of no return. A crash before it changes nothing; after it, the next process that
 *   opens the database finishes the swap first. No process ever writes to a database that is being replaced.
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
   * Puts the new database in the place of the live one. Returns the name of the kept earlier state, or null.
   */
  swap(): Promise<string | null>
  /** Must always be called at the end; only then can other processes use the live database again. */
  release(): Promise<void>
}

/** New rows with new objects. After `release` without `swap`, nothing of either is left. */
export interface NewInstance extends Replacement {
  /** Bytes available for the new objects; null if unknown. */
  freeBytes(): Promise<number | null>
  /**
   * Creates the new database with the schema version of the rows; opening it later migrates it. Nobody sees
   * what `fill` has written before `swap`. When it resolves, everything is flushed. Called once.
   */
  load<T>(migrations: readonly string[], fill: (into: NewRows) => Promise<T>): Promise<T>
}

export interface NewRows {
  tx: Queries
  queries: QueryTraits
  /** The store of the objects that the new rows name. */
  storage: Storage
  /**
   * A text in the names of the new objects if the store also holds those of the live state; empty if the new
   * objects have a store of their own.
   */
  mark: string
}

/** New rows for the objects in the live store. */
export interface NewIndex extends Replacement {
  /**
   * Runs `work` on the new database. This is the one that an interrupted run has left; otherwise a copy of
   * the live one if that has no files, so that accounts, settings and tokens made since the loss are kept;
   * otherwise an empty one.
   */
  resume<T>(work: (database: Database, storage: Storage) => Promise<T>): Promise<T>
}

/** Another process uses or replaces the database. */
export class DatabaseInUse extends Error {
  readonly code = 'DATABASE_IN_USE'

  constructor(
    message: string,
    /** The machine and the start time of that process, if known. */
    readonly holder?: { host: string; since: number },
  ) {
    super(message)
  }
}
