/**
 * SQLite's log (`-wal`), flushed and carried over on other threads. `bun:sqlite` answers synchronously: a commit that flushes
 * would stop every reader for as long as the disk takes, and after 10 000 renamed files carrying the log over into the
 * database file takes a fifth of a second. Here only writes wait for both.
 */
import type { Database as Connection } from 'bun:sqlite'
import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Queries } from './database.ts'

/** Changed rows after which the log is carried over; each changes about two pages of 4 KB. */
const CHANGES = 2_000

const flushData = promisify(fdatasync)

export interface WriteLog {
  /** Resolves when everything that was committed before would survive a power cut. */
  flush(): Promise<void>
  /**
   * Carries a long log over into the database file. No write of this process may begin before it resolves: the log begins
   * anew, instead of growing, only when nothing was added to it before its end had been carried over.
   */
  carryOver(): Promise<void>
  /** From now on the log is left to the closing of the database. */
  close(): void
}

/** From now on no commit of `writer` flushes by itself. */
export function openWriteLog(file: string, writer: Connection, otherThread: Queries): WriteLog {
  // SQLite keeps the same log as long as a connection is open.
  const log = openSync(`${file}-wal`, 'r+')
  // Still flushes where the order of writing matters: the head of a new log, and the log before it is carried over.
  writer.run('pragma synchronous = normal')
  writer.run('pragma wal_autocheckpoint = 0')
  let carriedOver = 0
  let closed = false

  return {
    flush: () => flushData(log),
    async carryOver() {
      if (closed) return
      const { total } = writer.query<{ total: number }, []>('select total_changes() as total').get()!
      if (total - carriedOver < CHANGES) return
      carriedOver = total
      // If it fails, the log grows until the next time.
      await sql`pragma wal_checkpoint(passive)`.execute(otherThread).catch(() => {})
    },
    close() {
      closed = true
      closeSync(log)
    },
  }
}
