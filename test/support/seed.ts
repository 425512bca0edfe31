/** Rows without objects, beside the running service: for lists of a length that nobody wants to upload. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from './data-folder.ts'

/** `<folder>/000001.png` and so on, each of as many bytes as its number. */
export function seedFiles(dataDir: string, folder: string, count: number): void {
  using database = new Database(join(dataDir, DATABASE_FILE))
  database.run('pragma busy_timeout = 10000')
  database.run(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
     insert into media (id, path, object, size, sha256, mime, kind, created_at, updated_at, derived)
     select 'seeded' || ?2 || i, ?2 || '/' || printf('%06d', i) || '.png', 'files/' || ?2 || i, i,
       printf('%064x', i), 'image/png', 'bilder', 1700000000000, 1700000000000 + i, 'done' from n`,
    [count, folder],
  )
}

/** As if it had been retrieved so often; the service counts with a delay, and somebody who has to wait may wait long. */
export function setRetrievals(dataDir: string, path: string, count: number): void {
  using database = new Database(join(dataDir, DATABASE_FILE))
  database.run('pragma busy_timeout = 10000')
  const at = Date.now() - (count % 90) * 3_600_000
  database.run('update media set retrievals = ?1, retrieved_at = ?2 where path = ?3', [count, at, path])
}

/** Retrievals by day, the last one being today. */
export function setRetrievalDays(dataDir: string, counts: readonly number[]): void {
  using database = new Database(join(dataDir, DATABASE_FILE))
  database.run('pragma busy_timeout = 10000')
  for (const [at, count] of counts.entries()) {
    const day = new Date()
    day.setDate(day.getDate() - (counts.length - 1 - at))
    database.run('insert or replace into retrieval_day (day, retrievals) values (?1, ?2)', [
      // Swedish writes dates as the service does.
      day.toLocaleDateString('sv-SE'),
      count,
    ])
  }
}
