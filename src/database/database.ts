/** The database port. Features write Kysely queries. Adapters pass `test/conformance/database.ts`. */
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
  // While nothing has changed and the database answers, `currentState` returns the same object.
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
 * Another process is changing so much that a transaction did not get the lock in time. Nothing was changed;
 * the same call succeeds later.
 */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/** The database did not answer, or not in time. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError'
  /** Whether the transaction may be stored all the same: its commit was sent, and the outcome is unknown. */
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
 * The disk lost what was committed, or cannot be written. No further transaction is accepted until everything
 * is stored safely elsewhere. As with `DatabaseUnavailableError`, a running transaction may be stored or not.
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
 * The database cannot be used as configured. `names`: the settings of PostgreSQL in question. `unflushed`:
 * these settings, which make commits durable, are off on the server. `pooled`: a connection pooler drops
 * these settings of a connection.
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

/** Parts of queries for which the engines have different SQL. */
export interface QueryTraits {
  /**
   * Number of rows per statement of a large change: on SQLite as many as take a few milliseconds, because the
   * service waits meanwhile; on a server many, because each statement costs a round trip.
   */
  readonly rowsAtOnce: number
  /**
   * How many entries of the gallery index can be read for the cost of examining one row along a sort order.
   */
  readonly walkCost: number
  /** The table of files, read through the gallery index even if the engine would choose another one. */
  readonly gallery: RawBuilder<unknown>
  /** Minimum number of characters of a text that the search index can find. */
  readonly minSearchLength: number
  /** A subquery for the `nr` of each file whose path contains `text`, ignoring case, by index. */
  pathsContaining(text: string, limit?: number): RawBuilder<{ nr: number }>
  /** The condition that a column contains the text, ignoring case. Uses no index. */
  contains(column: string, text: string): RawBuilder<SqlBool>
  /** The part of a text between character `from` and the next `/`. */
  firstSegment(column: string, from: number): RawBuilder<string>
  /** The last number that a table assigned, even if that row was deleted. No row if it assigned none. */
  lastNumber(table: NumberedTable): RawBuilder<{ last: number | string }>
  /**
   * Statements that make the numbering of a table that was filled with numbered rows continue after `last`.
   */
  continueNumberingAfter(table: NumberedTable, last: number): RawBuilder<unknown>[]
}

/** Tables whose rows are numbered by the engine; a number is never assigned twice. */
export const NUMBERED_TABLES = ['media', 'trash', 'history', 'administration'] as const
export type NumberedTable = (typeof NUMBERED_TABLES)[number]

export interface Database {
  /**
   * For reading. Sees every transaction that resolved before; never waits for a writer. Long lists are read
   * in pages (`where nr < last`), never with `.stream()`: an unfinished statement keeps every reader of this
   * connection, `/f/` and the settings included, at the state when it began.
   */
  readonly read: Queries

  /**
   * For slow reads, such as searching a million paths: sees what `read` sees and does not block other work.
   * On SQLite each query costs a hop to another thread, so short queries use `read`.
   */
  readonly browse: Queries

  readonly queries: QueryTraits

  /**
   * Runs `work` as one write transaction. When it resolves, all changes are stored and survive a power cut;
   * when it rejects, none is stored, unless the error says `mayBeStored`. Transactions are serializable: what
   * `work` has read is still true when it writes. `work` may run again after a conflict, so it must touch
   * nothing but the database, and only through `tx`.
   *
   * `long` marks a transaction of more than a few statements: it is not grouped with others. A long `work`
   * should yield to the event loop now and then; meanwhile other callers read, and see none of its changes.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: { long?: boolean }): Promise<T>

  /**
   * Resolves when what `read` has shown before survives a power cut; rejects if that is unknown. On SQLite a
   * commit can be read before it is flushed, so this is called before deleting anything that the database no
   * longer names.
   */
  durable(): Promise<void>

  /**
   * Runs `work` on a read-only snapshot: it sees the state at its beginning, however long it takes, and
   * blocks neither readers nor writers. Until `work` ends, the engine has to keep the old version of all data
   * that is replaced, so `work` should do nothing but read.
   */
  snapshot<T>(work: (at: Queries) => Promise<T>): Promise<T>

  /**
   * The current state: it includes everything that any process had committed and answered before the call.
   * Every request and job calls this once at its start. SQLite returns it without a promise; on PostgreSQL
   * waiting callers share one query. Rejects if the database cannot be reached.
   */
  currentState(): DatabaseState | Promise<DatabaseState>

  /** The latest state that this process knows, without a query. */
  knownState(): DatabaseState

  /**
   * The single lookup of every `/f/` request: one prepared statement, or a cached row. The row is at least as
   * new as the last state that the caller has waited for, so a caller that looks it up again first calls
   * `currentState` again.
   */
  servedFile(path: string): ServedFile | null | Promise<ServedFile | null>

  /**
   * Milliseconds by which the database's clock is ahead of this machine's, as of the latest state or, inside
   * a transaction, as of its beginning; also correct if this machine was suspended before that. Leases, locks
   * and expiry use the database's clock, which all processes share.
   */
  clockOffset(): number

  /**
   * The marker file that says that committed changes are missing, because a part of the database was removed
   * or replaced; null if there is none. The file exists until the loss is accepted
   * (`adapters/lost-changes.ts`).
   */
  lostChanges(): string | null

  /**
   * Regular maintenance of the engine, in portions so small that nobody notices. Resolves when nothing is
   * left to do, or when `more` returns false.
   */
  tidy(mayContinue: () => boolean): Promise<void>

  close(): Promise<void>
}
