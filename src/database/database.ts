/**
 * The database port. Features write Kysely queries against it and know no engine. Every adapter passes
 * `test/conformance/database.ts`.
 */
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import type { DerivedState, Schema } from './schema.ts'

/** Queries, inside or outside a transaction. */
export type Queries = Kysely<Schema>

/** What serving a file needs to know, and nothing more. */
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

/** Parts of queries that the engines spell differently. */
export interface QueryTraits {
  /** Shorter texts than this are in no index. */
  readonly searchableFrom: number
  /** A subquery for the `nr` of each file whose path contains `text`, whatever its case, by index; `limit` at most. */
  pathsContaining(text: string, limit?: number): RawBuilder<{ nr: number }>
  /** The same as a condition, by looking at the text. */
  contains(column: string, text: string): RawBuilder<SqlBool>
  /** What stands between character `from` of a text and the next `/`. */
  firstSegment(column: string, from: number): RawBuilder<string>
  /** The last number that a counting table gave away, also when its row is gone; no row before the first. */
  lastNumber(table: CountingTable): RawBuilder<{ last: number | string }>
  /** The statements that let a table go on after `last`, once it was filled with numbers given from outside. */
  countFrom(table: CountingTable, last: number): RawBuilder<unknown>[]
}

/** Tables whose rows are numbered by the engine; a number is never given twice. */
export const COUNTING_TABLES = ['media', 'trash', 'history', 'administration'] as const
export type CountingTable = (typeof COUNTING_TABLES)[number]

export interface Database {
  /**
   * For reading. Sees every transaction that was answered before; never waits for a writer. Long lists are read in pages
   * (`where nr < last`), never with `.stream()`: a statement that is not read to its end holds everybody who reads
   * here, `/f/` and the settings included, at the state it began with.
   */
  readonly read: Queries

  /**
   * For reading that may take its time, such as searching a million paths: sees what `read` sees, and holds nothing else
   * up. On the embedded engine each query costs a hop to another thread, so short ones stay with `read`.
   */
  readonly browse: Queries

  readonly queries: QueryTraits

  /**
   * Runs `work` as one write transaction. All of it is there and survives a power cut when the promise resolves;
   * nothing of it is there when it rejects. Transactions happen as if one after the other, so what `work` read
   * still holds when it writes. `work` may run again after a conflict: it must only touch the database, and only
   * through what it is given.
   *
   * `long` says that it is more than a few statements: nobody is made to share its fate. Let go of the event loop now and
   * then in there; others read meanwhile, and see nothing of it.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: { long?: boolean }): Promise<T>

  /**
   * Runs `work` on one moment of the database: all it reads is as of when it began, however long it takes, and holds up
   * neither readers nor writers. Nothing can be written there. The engine keeps what is replaced meanwhile, so read and
   * be done.
   */
  snapshot<T>(work: (at: Queries) => Promise<T>): Promise<T>

  /** The one look-up behind every `/f/` request: a single prepared statement. */
  servedFile(path: string): ServedFile | null | Promise<ServedFile | null>

  /**
   * Another number whenever some process may have committed since; asked of the engine at most once in each turn of the
   * event loop, so it costs nothing where every request asks. Whoever was answered after a commit finds it moved.
   *
   * SQLite has `pragma data_version`. On PostgreSQL a connection that listens (`NOTIFY` by a statement trigger on the
   * tables that matter) counts what it hears, and counts up for ever while it is cut off, so that nobody trusts
   * what it remembers; there the news is a network delay late, which no caller in another process can tell.
   */
  version(): number

  /**
   * The saved settings, name → JSON, as of `version()`. Synchronous, since nothing on `/f/` waits: SQLite reads
   * eleven rows; PostgreSQL keeps a copy, which it reads anew before it lets `version()` move.
   */
  savedSettings(): ReadonlyMap<string, string>

  /**
   * What the engine wants done now and then, in portions so small that nobody waits for them; resolves when there is
   * nothing left to do, or `more` says no.
   */
  tidy(more: () => boolean): Promise<void>

  close(): Promise<void>
}
