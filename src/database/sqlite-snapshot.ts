/** One moment of the database, read on a thread and a connection of its own that is gone afterwards. */
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { openReaderThread } from './sqlite-reader-thread.ts'

export function sqliteSnapshot(file: string): Database['snapshot'] {
  return async work => {
    const readerThread = openReaderThread(file)
    try {
      await sql`begin`.execute(readerThread.queries)
      // The moment is that of the first read, not of `begin`.
      await sql`select count(*) from sqlite_schema`.execute(readerThread.queries)
      return await work(readerThread.queries)
    } finally {
      await readerThread.close()
    }
  }
}
