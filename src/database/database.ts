/**
 * The database port. Features write Kysely queries against it and know no engine. Every adapter passes
 * `test/conformance/database.ts`.
 */
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import type { DerivedState, Schema } from './schema.ts'

/** Queries, inside or outside a transaction. */
export type Queries = Kysely<Schema>

/** Exactly the columns that serving a file needs. */
export interface ServedFile {
  nr: number
  id: string
  object: string
  size: number
  sha256: string
  mime: string
  derived: DerivedState
  variant_size: number | null
  preview_size: number | null
}

/** Parts of queries for which the engines have different SQL. */
export interface QueryTraits {
  /** The minimum number of characters of a text that the search index can find. */
  readonly searchableFrom: number
  /** A subquery for the `nr` of each file whose path contains `text`, ignoring case, by index; at most `limit` rows. */
  pathsContaining(text: string, limit?: number): RawBuilder<{ nr: number }>
  /** The same test as a condition on a column, by scanning its text without an index. */
  contains(column: string, text: string): RawBuilder<SqlBool>
  /** The part of a text between character `from` and the next `/`. */
  firstSegment(column: string, from: number): RawBuilder<string>
  /** The last number that a counting table assigned, even if that row was deleted; no result row before the first. */
  lastNumber(table: CountingTable): RawBuilder<{ last: number | string }>
  /** The statements that make a table continue after `last`, once it was filled with rows that had their numbers. */
  countFrom(table: CountingTable, last: number): RawBuilder<unknown>[]
}

/** Tables whose rows are numbered by the engine; a number is never assigned twice. */
export const COUNTING_TABLES = ['media', 'trash', 'history', 'administration'] as const
export type CountingTable = (typeof COUNTING_TABLES)[number]

export interface Database {
  /**
   * For reading. Sees every transaction that resolved before; never waits for a writer. Long lists are read in pages
   * (`where nr < last`), never with `.stream()`: a statement that is not read to its end keeps every reader of this
   * connection, `/f/` and the settings included, at the state of the database when that statement began.
   */
  readonly read: Queries

  /**
   * For slow reading, such as searching a million paths: sees what `read` sees and does not block other work. On the
   * embedded engine each query costs a hop to another thread, so short queries use `read`.
   */
  readonly browse: Queries

  readonly queries: QueryTraits

  /**
   * Runs `work` as one write transaction. When the promise resolves, all changes are stored and survive a power cut;
   * when it rejects, none of them is stored. Transactions behave as if they ran one after the other, so what `work` has
   * read is still true when `work` writes. `work` may run again after a conflict, so it must touch nothing but the
   * database, and only through `tx`.
   *
   * `long` marks a transaction of more than a few statements: it is not grouped with other transactions. A long `work`
   * should yield to the event loop now and then; meanwhile other callers read, and see none of its changes.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: { long?: boolean }): Promise<T>

  /**
   * Runs `work` on a snapshot of the database: everything `work` reads is the state at its beginning, however long it
   * takes, and it blocks neither readers nor writers. A snapshot is read-only. The engine has to keep all data that is
   * replaced meanwhile, so `work` should only read and then end.
   */
  snapshot<T>(work: (at: Queries) => Promise<T>): Promise<T>

  /** The single look-up that every `/f/` request makes: one prepared statement. */
  servedFile(path: string): ServedFile | null | Promise<ServedFile | null>

  /**
   * A number that changes whenever any process may have committed. The engine is asked at most once in each turn of the
   * event loop, so every request can call this at no cost. A caller that got its response after a commit finds the
   * number changed.
   *
   * SQLite has `pragma data_version`. On PostgreSQL a listening connection (`NOTIFY` by a statement trigger on the
   * relevant tables) counts the notifications. While that connection is cut off, the number changes at every call, so
   * that no caller trusts its cache. On PostgreSQL the number changes one network delay late, which a caller in another
   * process cannot notice.
   */
  version(): number

  /**
   * The saved settings, name → JSON, as of `version()`. Synchronous, because a `/f/` request must not wait: SQLite
   * reads eleven rows; PostgreSQL keeps a copy, which it reloads before `version()` changes.
   */
  savedSettings(): ReadonlyMap<string, string>

  /**
   * Regular maintenance of the engine, in portions so small that no other caller notices the wait. Resolves when
   * nothing is left to do, or when `more` answers false.
   */
  tidy(more: () => boolean): Promise<void>

  close(): Promise<void>
}
