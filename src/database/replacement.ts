/**
 * The port for replacing the database as a whole: a new one is filled beside the live one and takes its place
 * at the end. `restore` replaces the objects too, `rebuild` only the rows.
 *
 * What holds at each moment:
 * - From `begin…` on, no other process can begin to use the live database. Where there is no database yet,
 *   this holds from `load` or `resume` on. (Embedded: an exclusive lock on the file. Several machines: no
 *   instance has a living heartbeat, and none can begin one.)
 * - Until `swap`, the live database and its objects are untouched. After a crash they are as before; what was
 *   filled so far is removed by the next restore or start, and continued by the next rebuild.
 * - `swap` has one point of no return. A crash before that point changes nothing; after it, the next process
 *   that opens the database finishes the swap first. No process ever writes to a database that is being
 *   replaced.
 * - The earlier state is kept, never deleted.
 */
import type { Storage } from '../storage/storage.ts'
import type { Database, Queries, QueryTraits } from './database.ts'
import type { Schema } from './schema.ts'

export interface Replacement {
  /**
   * Whether the live database has a row in one of these tables; null when there is a database that cannot be
   * read.
   */
  liveHasRows(tables: readonly (keyof Schema)[]): Promise<boolean | null>
  /** Whether any object lies in the live store, in the library or in the trash. */
  liveHasObjects(): Promise<boolean>
  /**
   * The new database takes the place of the live one. Returns the name under which the earlier state is kept;
   * null when there was none.
   */
  swap(): Promise<string | null>
  /** Must be called at the end in any case: other processes may use the live database again. */
  release(): Promise<void>
}

/** New rows with new objects, made from nothing. After `release` without `swap` nothing of them is left. */
export interface NewInstance extends Replacement {
  /** The space for the new objects, in bytes; null when it cannot be told. */
  freeBytes(): Promise<number | null>
  /**
   * Makes the new database with the schema version that the rows come from; opening it later brings it to the
   * newest schema. Nobody else sees what `fill` has written before `swap`. When the promise resolves,
   * everything is flushed. Call this once.
   */
  load<T>(migrations: readonly string[], fill: (into: NewRows) => Promise<T>): Promise<T>
}

export interface NewRows {
  tx: Queries
  queries: QueryTraits
  /** The store for the objects that the new rows name. */
  storage: Storage
  /**
   * Stands in the names of the new objects where the store also holds those of the live state, so that no two
   * are alike; empty where the new objects have a store of their own.
   */
  mark: string
}

/** New rows for the objects that lie in the live store. */
export interface NewIndex extends Replacement {
  /**
   * Runs `work` on the new database. This is the one that an interrupted run has left, or else a copy of the
   * live one if that holds no file, so that accounts, settings and tokens made since the loss are kept, or
   * else an empty one.
   */
  resume<T>(work: (database: Database, storage: Storage) => Promise<T>): Promise<T>
}

/** Another process uses the database, or is replacing it. */
export class DatabaseInUse extends Error {
  readonly code = 'DATABASE_IN_USE'

  constructor(
    message: string,
    /** The machine of that process and the time of its start, where they are known. */
    readonly by?: { host: string; since: number },
  ) {
    super(message)
  }
}
