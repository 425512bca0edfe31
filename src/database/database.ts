/**
 * The database port. Features write Kysely queries against it and know no engine. Every adapter passes
 * `test/conformance/database.ts`.
 */
import type { Kysely } from 'kysely'
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

export interface Database {
  /** For reading. Sees every transaction that was answered before; never waits for a writer. */
  readonly read: Queries

  /**
   * Runs `work` as one write transaction. All of it is there and survives a power cut when the promise resolves;
   * nothing of it is there when it rejects. Transactions happen as if one after the other, so what `work` read
   * still holds when it writes. `work` may run again after a conflict: it must only touch the database, and only
   * through what it is given.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>

  /** The one look-up behind every `/f/` request: a single prepared statement. */
  servedFile(path: string): ServedFile | null | Promise<ServedFile | null>

  close(): Promise<void>
}
