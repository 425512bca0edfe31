/** One moment of the database, read on a thread and a connection of its own that is gone afterwards. */
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { openAside } from './sqlite-aside.ts'

export function sqliteSnapshot(file: string): Database['snapshot'] {
  return async work => {
    const aside = openAside(file)
    try {
      await sql`begin`.execute(aside.queries)
      // The moment is that of the first read, not of `begin`.
      await sql`select count(*) from sqlite_schema`.execute(aside.queries)
      return await work(aside.queries)
    } finally {
      await aside.close()
    }
  }
}
