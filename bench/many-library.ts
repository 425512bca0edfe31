/**
 * The library with a million rows in PostgreSQL: its pages and searches, then 10 000 files renamed and
 * deleted.
 */
import { ADMIN_ENV, signIn } from '../test/support/dashboard.ts'
import { measureLibrary } from './library-measure.ts'
import { measureChanges } from './library-rename.ts'
import { type Bench, bar, startReal } from './many-servers.ts'
import type { Bar } from './report.ts'
import { RENAMED } from './seed.ts'
import { seedPostgres } from './seed-postgres.ts'

const ROWS = 1_000_000
const QUICK_ROWS = 200_000
/** Milliseconds that renaming or deleting may take, and that an upload may wait meanwhile. */
const CHANGE_BAR = 3000

export async function measureManyRows({ newPlace, quick }: Bench): Promise<Bar[]> {
  const place = await newPlace()
  const rows = quick ? QUICK_ROWS : ROWS
  console.log(`${rows} rows in PostgreSQL after ${Math.round(await seedPostgres(place.databaseUrl, rows))} s`)
  await using service = await startReal({ place, instances: 1, env: ADMIN_ENV })
  const session = await signIn(service)
  const missed = await measureLibrary({ service, session, files: rows }, 'shared')
  const changes = await measureChanges(service, session)
  return [
    bar(
      `library of ${rows} rows: orders ≤ 50 ms, searches ≤ 150 ms, of two characters ≤ 500 ms`,
      missed.join('; ') || 'all',
      missed.length === 0,
    ),
    ...changes.flatMap(({ what, took, longestUpload }) => [
      bar(`${RENAMED} files ${what} ≤ ${CHANGE_BAR} ms`, `${Math.round(took)} ms`, took <= CHANGE_BAR),
      bar(
        `longest wait of an upload while ${RENAMED} files are ${what} ≤ ${CHANGE_BAR} ms`,
        `${Math.round(longestUpload)} ms`,
        longestUpload <= CHANGE_BAR,
      ),
    ]),
  ]
}
