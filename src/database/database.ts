/**
 * The interface of the database, which the adapters for SQLite and PostgreSQL implement. Features query it
 * with Kysely. Every adapter passes `test/conformance/database.ts`.
 */
import type { Kysely, RawBuilder, Selectable, SqlBool } from 'kysely'
import { DERIVED_COLUMNS } from '../storage/derived-parts.ts'
import type { MediaTable, Schema } from './schema.ts'

/** Kysely for our schema; its queries run inside or outside a transaction. */
export type Queries = Kysely<Schema>

/** The columns of `media` that serving a file needs, and no others. */
export const SERVED_COLUMNS = [
  ...(['nr', 'id', 'object', 'size', 'sha256', 'mime', 'updated_at', 'placed_at'] as const),
  ...(['derived_at', 'derived'] as const),
  ...DERIVED_COLUMNS,
]
export type ServedFile = Pick<Selectable<MediaTable>, (typeof SERVED_COLUMNS)[number]>

/** Maximum number of served files whose rows are cached. A full cache is emptied. */
export const MAX_CACHED_ROWS = 50_000

/** The version and the settings of the database, which a request needs before its first query. */
export interface DatabaseState {
  /**
   * Changes whenever one of these has changed: a file (apart from its retrieval counter), a setting, the
   * history of files, the history of administration (which records changes of tokens), or the progress of a
   * backup or of maintenance. It may change at other times too. Use it only to check whether data that was
   * read earlier is still current.
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
  /** True if the outcome of the commit is unknown, so the transaction may be stored despite this error. */
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
 * The disk could not flush committed changes, or cannot be written to. No transaction is accepted until all
 * changes are safely stored.
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
 * The database cannot be used as configured. `settingNames`: the PostgreSQL settings that are wrong.
 * `reason`: `unflushed` if these settings are off, so that commits are not durable; `pooled` if a connection
 * pooler has dropped the values that we set for each connection.
 */
export class DatabaseRefusedError extends Error {
  override readonly name = 'DatabaseRefusedError'

  constructor(
    readonly reason: 'unflushed' | 'pooled',
    readonly settingNames: readonly string[],
  ) {
    super(`the database cannot be used, ${reason}: ${settingNames.join(', ')}`)
  }
}

/** Parts of queries, and figures about their cost, that differ between SQLite and PostgreSQL. */
export interface QueryTraits {
  /**
   * Number of rows per statement of a large change. On SQLite a statement must take only a few milliseconds,
   * because it blocks the event loop. On PostgreSQL the number is large, because each statement costs a round
   * trip.
   */
  readonly rowsPerStatement: number
  /**
   * The cost of examining one row of `media` while rows are read in a sort order, as a multiple of the cost
   * of reading one entry of the index `media_gallery`. A page of a list is read in the cheaper of these two
   * ways.
   */
  readonly sortedScanCost: number
  /**
   * The table `media`, for queries that should use its index `media_gallery`. On SQLite this forces the
   * index.
   */
  readonly galleryTable: RawBuilder<unknown>
  /** Minimum length in characters of a text that `pathsContaining` can find. */
  readonly minSearchLength: number
  /**
   * A subquery for the `nr` of files whose path contains `text`, ignoring case; of at most `limit` files, if
   * it is given. It reads the search index instead of `media`.
   */
  pathsContaining(text: string, limit?: number): RawBuilder<{ nr: number }>
  /** The condition that a column contains the text, ignoring case. Uses no index. */
  contains(column: string, text: string): RawBuilder<SqlBool>
  /**
   * The part of the column's text after its first `prefixLength` characters and before the next `/`, which
   * must exist.
   */
  firstSegment(column: string, prefixLength: number): RawBuilder<string>
  /**
   * A query for the last number that a table assigned, even if that row was deleted. It finds no row if the
   * table has assigned no number.
   */
  lastNumber(table: NumberedTable): RawBuilder<{ last: number | string }>
  /**
   * Statements that make the numbering of a table continue after `last`. They are needed after inserting rows
   * with explicit numbers.
   */
  continueNumberingAfter(table: NumberedTable, last: number): RawBuilder<unknown>[]
}

/** The tables in which the database engine must never assign a row number twice, not even after a restore. */
export const NUMBERED_TABLES = ['media', 'trash', 'history', 'administration'] as const
export type NumberedTable = (typeof NUMBERED_TABLES)[number]

export interface Database {
  /**
   * For reading. Sees every transaction that has resolved; never waits for a writer. Long lists are read in
   * pages (`where nr < last`), never with `.stream()`: on SQLite, until a statement has ended, all readers
   * see the state at its beginning, even the lookups of settings and of files to serve.
   */
  readonly read: Queries

  /**
   * For slow reads, such as searching a million paths: sees what `read` sees and does not block other work.
   * On SQLite each query is sent to another thread, which costs time, so short queries use `read`.
   */
  readonly slowRead: Queries

  readonly queryTraits: QueryTraits

  /**
   * Runs `work` as one write transaction. When it resolves, all changes are stored and survive a power cut.
   * When it rejects, none is stored, unless the error is a `DatabaseUnavailableError` whose `mayBeStored` is
   * true. Transactions are serializable: what `work` has read is still true when it writes. `work` may run a
   * second time (on SQLite, if the disk was full), so it must touch nothing but the database, and only
   * through `tx`.
   *
   * `long` marks a transaction of more than a few statements: it is not grouped with others. A long `work`
   * should yield to the event loop now and then, so that other callers can read; they see none of its changes
   * before the commit.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: { long?: boolean }): Promise<T>

  /**
   * Resolves when everything that `read` has returned so far survives a power cut; rejects if that is
   * unknown. On SQLite a commit can be read before it is flushed, so this is called before deleting an object
   * that no row names any more.
   */
  waitUntilDurable(): Promise<void>

  /**
   * Runs `work` on a read-only snapshot: it sees the state at its beginning, however long it takes, and
   * blocks neither readers nor writers. Until `work` ends, the engine has to keep the old version of all data
   * that is replaced, so `work` should do nothing but read.
   */
  snapshot<T>(work: (db: Queries) => Promise<T>): Promise<T>

  /**
   * The current state: it includes everything that any process had committed and confirmed before the call.
   * Requests and jobs call this at their start. SQLite returns it without a promise; on PostgreSQL waiting
   * callers share one query. Rejects if the database cannot be reached. Returns the same object until
   * something changes or a query for the state fails, so comparing objects shows whether cached data is still
   * current.
   */
  currentState(): DatabaseState | Promise<DatabaseState>

  /** The latest state that this process knows, without a query. */
  knownState(): DatabaseState

  /**
   * Finds the row of a stored file, for a request to `/f/`: with one statement, or in a cache. The row is at
   * least as new as the last state that the caller got from `currentState`. To get a newer row, call
   * `currentState` again first.
   */
  servedFile(path: string): ServedFile | null | Promise<ServedFile | null>

  /**
   * Milliseconds by which the database's clock is ahead of this machine's, measured when this process last
   * queried the state or began a transaction; always 0 on SQLite. Leases, locks and expiry use the database's
   * clock, which all processes share.
   */
  clockOffset(): number

  /**
   * The path of the marker file, which exists if committed changes are missing because a part of the database
   * was removed or replaced; otherwise null. The file stays until the operator accepts the loss
   * (`adapters/lost-changes.ts`).
   */
  lostChangesMarker(): string | null

  /**
   * Regular maintenance of the engine, in portions too small to delay other work. Resolves when nothing is
   * left to do, or when `mayContinue` returns false.
   */
  tidy(mayContinue: () => boolean): Promise<void>

  close(): Promise<void>
}
