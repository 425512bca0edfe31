/** The database port. Features query it with Kysely. Every adapter passes `test/conformance/database.ts`. */
import type { Kysely, RawBuilder, Selectable, SqlBool } from 'kysely'
import { DERIVED_COLUMNS } from '../storage/derived-parts.ts'
import type { MediaTable, Schema } from './schema.ts'

/** Queries, inside or outside a transaction. */
export type Queries = Kysely<Schema>

/** Exactly the columns that serving a file needs. */
export const SERVED_COLUMNS = [
  ...(['nr', 'id', 'object', 'size', 'sha256', 'mime', 'updated_at', 'placed_at'] as const),
  ...(['derived_at', 'derived'] as const),
  ...DERIVED_COLUMNS,
]
export type ServedFile = Pick<Selectable<MediaTable>, (typeof SERVED_COLUMNS)[number]>

/** The state of the database, as far as a request has to know it before its first query. */
export interface DatabaseState {
  /**
   * Changes whenever a file, a token, a setting, a history entry or the progress of maintenance may have
   * changed (a token because each of its changes adds an entry to the history of administration). Use it only
   * to check whether data that was read earlier is still current.
   */
  readonly version: number
  /** The saved settings, name → JSON. */
  readonly settings: ReadonlyMap<string, string>
}

/**
 * Other processes held the write lock for so long that a transaction did not get it in time. The transaction
 * changed nothing, and may be repeated.
 */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/** The database did not answer, or not in time. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError'
  /** Whether the transaction may be stored nevertheless, because the outcome of its commit is unknown. */
  readonly mayBeStored: boolean

  constructor(
    message: string,
    { mayBeStored = false, ...options }: ErrorOptions & { mayBeStored?: boolean } = {},
  ) {
    super(message, options)
    this.mayBeStored = mayBeStored
  }
}

/**
 * The disk could not flush committed changes, or cannot be written. No transaction is accepted until all
 * changes are safely stored. As with `DatabaseUnavailableError`, `mayBeStored` says whether a running
 * transaction may be stored.
 */
export class DatabaseUnflushedError extends DatabaseUnavailableError {
  override readonly name = 'DatabaseUnflushedError'
  readonly code = 'UNFLUSHED_DATABASE'
}

/** The disk of the database is full. Nothing was changed. */
export class DatabaseFullError extends Error {
  override readonly name = 'DatabaseFullError'

  constructor(options?: ErrorOptions) {
    super('no room is left for the database', options)
  }
}

/** The configured database contains no instance, and this process may not create one. */
export class NoInstanceError extends Error {}

/**
 * The database cannot be used as configured. `names`: the PostgreSQL settings that are wrong. `unflushed`:
 * they are off on the server, although they make commits durable. `pooled`: we set them for each connection,
 * but a connection pooler drops them.
 */
export class DatabaseRefusedError extends Error {
  override readonly name = 'DatabaseRefusedError'

  constructor(
    readonly reason: 'unflushed' | 'pooled',
    readonly names: readonly string[],
  ) {
    super(`the database cannot be used, ${reason}: ${names.join(', ')}`)
  }
}

/** Parts of queries, and figures about their cost, that differ between SQLite and PostgreSQL. */
export interface QueryTraits {
  /**
   * Number of rows per statement of a large change. On SQLite as many as take a few milliseconds, because
   * each statement blocks the event loop; on PostgreSQL many, because each statement costs a round trip.
   */
  readonly rowsAtOnce: number
  /**
   * The cost of examining one row of `media` when rows are read in a sort order. The unit is the cost of
   * reading one entry of the gallery index, the alternative.
   */
  readonly walkCost: number
  /** The table `media`, for queries that should use the gallery index. On SQLite this forces the index. */
  readonly gallery: RawBuilder<unknown>
  /** Minimum length of a text that `pathsContaining` can find. */
  readonly minSearchLength: number
  /**
   * A subquery for the `nr` of files whose path contains `text`, ignoring case. It reads the search index
   * instead of `media`.
   */
  pathsContaining(text: string, limit?: number): RawBuilder<{ nr: number }>
  /** The condition that a column contains the text, ignoring case. Uses no index. */
  contains(column: string, text: string): RawBuilder<SqlBool>
  /** The part of a text after its first `from` characters and before the next `/`, which must exist. */
  firstSegment(column: string, from: number): RawBuilder<string>
  /** The last number that a table assigned, even if its row was deleted. Returns no row if there was none. */
  lastNumber(table: NumberedTable): RawBuilder<{ last: number | string }>
  /**
   * Statements that let the numbering of a table continue after `last`, after rows with given numbers were
   * inserted.
   */
  continueNumberingAfter(table: NumberedTable, last: number): RawBuilder<unknown>[]
}

/**
 * The tables in which the engine numbers the rows and no number may be assigned twice, not even after a
 * restore.
 */
export const NUMBERED_TABLES = ['media', 'trash', 'history', 'administration'] as const
export type NumberedTable = (typeof NUMBERED_TABLES)[number]

export interface Database {
  /**
   * For reading. Sees every transaction that resolved before; never waits for a writer. Long lists are read
   * in pages (`where nr < last`), never with `.stream()`: while a statement is unfinished, all readers share
   * its old snapshot, including `/f/` and the settings.
   */
  readonly read: Queries

  /**
   * For slow reads, such as searching a million paths: sees what `read` sees and does not block other work.
   * On SQLite each query is sent to another thread, which costs time, so short queries use `read`.
   */
  readonly browse: Queries

  readonly queries: QueryTraits

  /**
   * Runs `work` as one write transaction. When it resolves, all changes are stored and survive a power cut.
   * When it rejects, none is stored, unless the error has `mayBeStored`. Transactions are serializable: what
   * `work` has read is still true when it writes. `work` may run a second time (on SQLite, if the disk was
   * full), so it must touch nothing but the database, and only through `tx`.
   *
   * `long` marks a transaction of more than a few statements: it is not grouped with others. A long `work`
   * should yield to the event loop now and then; meanwhile other callers read, and see none of its changes.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: { long?: boolean }): Promise<T>

  /**
   * Resolves when everything that `read` has returned so far survives a power cut; rejects if that is
   * unknown. On SQLite a commit can be read before it is flushed, so this is called before deleting an object
   * that no row names any more.
   */
  durable(): Promise<void>

  /**
   * Runs `work` on a read-only snapshot: it sees the state at its beginning, however long it takes, and
   * blocks neither readers nor writers. Until `work` ends, the engine has to keep the old version of all data
   * that is replaced, so `work` should do nothing but read.
   */
  snapshot<T>(work: (db: Queries) => Promise<T>): Promise<T>

  /**
   * The current state: it includes everything that any process had committed and answered before the call.
   * Requests and jobs call this at their start. SQLite returns it without a promise; on PostgreSQL waiting
   * callers share one query. Rejects if the database cannot be reached. Returns the same object until
   * something changes or a query for the state fails, so comparing objects shows whether cached data is
   * still current.
   */
  currentState(): DatabaseState | Promise<DatabaseState>

  /** The latest state that this process knows, without a query. */
  knownState(): DatabaseState

  /**
   * The single lookup of every `/f/` request: one prepared statement, or a cached row. The row is at least as
   * new as the last state that the caller got from `currentState`. To get a newer row, call `currentState`
   * again first.
   */
  servedFile(path: string): ServedFile | null | Promise<ServedFile | null>

  /**
   * Milliseconds by which the database's clock is ahead of this machine's, measured with the latest state or,
   * inside a transaction, at its beginning. Leases, locks and expiry use the database's clock, which all
   * processes share.
   */
  clockOffset(): number

  /**
   * The path of the marker file that says that committed changes are missing, because a part of the database
   * was removed or replaced; null if there is none. The file exists until the loss is accepted
   * (`adapters/lost-changes.ts`).
   */
  lostChanges(): string | null

  /**
   * Regular maintenance of the engine, in portions too small to delay other work. Resolves when nothing is
   * left to do, or when `mayContinue` returns false.
   */
  tidy(mayContinue: () => boolean): Promise<void>

  close(): Promise<void>
}
