/** Snapshots of the database: each is read on a thread and a connection of its own, which end afterwards. */
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { openReaderThread } from './sqlite-reader-thread.ts'

export function sqliteSnapshot(file: string): Database['snapshot'] {
  return async work => {
    const readerThread = openReaderThread(file)
    try {
      await sql`begin`.execute(readerThread.queries)
      // SQLite takes the snapshot at the first read, not at `begin`.
      await sql`select count(*) from sqlite_schema`.execute(readerThread.queries)
      return await work(readerThread.queries)
    } finally {
      await readerThread.close()
    }
  }
}
