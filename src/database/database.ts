/**
 * The database port. Features write Kysely queries against it and know no engine. Every adapter passes
 * `test/conformance/database.ts`.
 */
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

/** The state of the database at one moment, as far as a request has to know it before its first query. */
export interface Moment {
  // One object per moment: as long as nothing has changed and the database answers, the same object is
  // answered.
  /**
   * Another number at each moment at which a file, a token, a setting, an entry of the histories or the
   * progress of a task may have changed (a token because each change of it makes an entry). Only good for
   * telling whether data that was read earlier is still right.
   */
  readonly version: number
  /** The saved settings, name → JSON. */
  readonly settings: ReadonlyMap<string, string>
}

/**
 * Another process is changing so much at once that a transaction has not got its turn in time. Nothing was
 * changed; the same call succeeds later.
 */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/** The database does not answer: not at all, or not in time. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError'
  /**
   * Whether the transaction may be stored all the same: its commit was sent, and nobody could look for the
   * outcome.
   */
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
 * The disk has not kept what was committed, or does not take anything; nothing is stored until everything is
 * safe elsewhere. As with the other error, a transaction that was under way may be stored or not.
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

/** There is no instance at this place, and this process may not make one. */
export class NoInstanceError extends Error {}

/**
 * The database cannot be used as it is set up. `names`: the settings that stand against it. `unflushed`: they
 * are off on the server. `pooled`: something between here and the server drops those of a connection.
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
   * Rows that one statement of a large change has: on the embedded engine as many as take a few milliseconds,
   * because the service waits meanwhile; on a server many, because each statement costs the way there and
   * back.
   */
  readonly rowsAtOnce: number
  /**
   * In the library, looking at one row of a walk costs as much as gathering this many entries of the gallery
   * index.
   */
  readonly walkCost: number
  /** The minimum number of characters of a text that the search index can find. */
  readonly searchableFrom: number
  /**
   * A subquery for the `nr` of each file whose path contains `text`, ignoring case, by index; at most `limit`
   * rows.
   */
  pathsContaining(text: string, limit?: number): RawBuilder<{ nr: number }>
  /** The same test as a condition on a column, by scanning its text without an index. */
  contains(column: string, text: string): RawBuilder<SqlBool>
  /** The part of a text between character `from` and the next `/`. */
  firstSegment(column: string, from: number): RawBuilder<string>
  /**
   * The last number that a counting table assigned, even if that row was deleted; no result row before the
   * first.
   */
  lastNumber(table: CountingTable): RawBuilder<{ last: number | string }>
  /**
   * The statements that make a table continue after `last`, once it was filled with rows that had their
   * numbers.
   */
  countFrom(table: CountingTable, last: number): RawBuilder<unknown>[]
}

/** Tables whose rows are numbered by the engine; a number is never assigned twice. */
export const COUNTING_TABLES = ['media', 'trash', 'history', 'administration'] as const
export type CountingTable = (typeof COUNTING_TABLES)[number]

export interface Database {
  /**
   * For reading. Sees every transaction that resolved before; never waits for a writer. Long lists are read
   * in pages (`where nr < last`), never with `.stream()`: a statement that is not read to its end keeps every
   * reader of this connection, `/f/` and the settings included, at the state of the database when that
   * statement began.
   */
  readonly read: Queries

  /**
   * For slow reading, such as searching a million paths: sees what `read` sees and does not block other work.
   * On the embedded engine each query costs a hop to another thread, so short queries use `read`.
   */
  readonly browse: Queries

  readonly queries: QueryTraits

  /**
   * Runs `work` as one write transaction. When the promise resolves, all changes are stored and survive a
   * power cut; when it rejects, none of them is stored, unless the error says `mayBeStored`. Transactions
   * behave as if they ran one after the other, so what `work` has read is still true when `work` writes.
   * `work` may run again after a conflict, so it must touch nothing but the database, and only through `tx`.
   *
   * `long` marks a transaction of more than a few statements: it is not grouped with other transactions. A
   * long `work` should yield to the event loop now and then; meanwhile other callers read, and see none of
   * its changes.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: { long?: boolean }): Promise<T>

  /**
   * Resolves when what `read` has shown before the call survives a power cut; rejects when that cannot be
   * told. On the embedded engine a commit can be read before it is flushed, so this is called before anything
   * is removed for good that the database no longer names.
   */
  durable(): Promise<void>

  /**
   * Runs `work` on a snapshot of the database: everything `work` reads is the state at its beginning, however
   * long it takes, and it blocks neither readers nor writers. A snapshot is read-only. The engine has to keep
   * all data that is replaced meanwhile, so `work` should only read and then end.
   */
  snapshot<T>(work: (at: Queries) => Promise<T>): Promise<T>

  /**
   * A moment after the call: what any process had committed and answered before the call is part of it. Every
   * request and every job asks once at its beginning. The embedded engine answers at once and without a
   * promise; a server is asked by one query that all callers share who wait in the same turn of the event
   * loop. Rejects when the database cannot be reached.
   */
  moment(): Moment | Promise<Moment>

  /** The latest moment that this process knows, without asking. */
  latest(): Moment

  /**
   * The single look-up that every `/f/` request makes: one prepared statement, or a remembered row. The row
   * is at least as new as the last moment that the caller has waited for, so a caller that looks again asks
   * for a moment again.
   */
  servedFile(path: string): ServedFile | null | Promise<ServedFile | null>

  /**
   * Milliseconds by which the database's clock is ahead of this machine's, as of the latest moment or, inside
   * a transaction, as of its beginning: also right when this machine was suspended before it. What several
   * processes decide by a time (leases, locks, expiry, notices) goes by the database's clock, which they have
   * in common.
   */
  clockOffset(): number

  /**
   * The marker file that says that stored changes are missing, because a part of the database was removed or
   * replaced; null if nothing is missing. The operator deletes the file.
   */
  lostChanges(): string | null

  /**
   * Regular maintenance of the engine, in portions so small that no other caller notices the wait. Resolves
   * when nothing is left to do, or when `more` answers false.
   */
  tidy(more: () => boolean): Promise<void>

  close(): Promise<void>
}
