/** Adds rows without objects beside the running service: for lists that would take too long to upload. */
import { onDatabase } from './data-folder.ts'

/** `<folder>/000001.png` and so on; the number is also the size in bytes. */
export async function seedFiles(dataDir: string, folder: string, count: number): Promise<void> {
  const digits = (places: number) => `substr(cast(1${'0'.repeat(places)} + i as text), 2)`
  await onDatabase(
    dataDir,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     insert into media (id, path, object, size, sha256, mime, kind, created_at, updated_at, derived)
     select 'seeded${folder}' || i, '${folder}/' || ${digits(6)} || '.png', 'files/${folder}' || i, i,
       '${'0'.repeat(56)}' || ${digits(8)}, 'image/png', 'bilder', 1700000000000, 1700000000000 + i, 'done' from n`,
  )
}

/** Sets the count directly, because the service writes counts with a delay. */
export async function setRetrievals(dataDir: string, path: string, count: number): Promise<void> {
  const at = Date.now() - (count % 90) * 3_600_000
  await onDatabase(
    dataDir,
    `update media set retrievals = ${count}, retrieved_at = ${at} where path = '${path}'`,
  )
}

/** Adds to each count its day in the service's notation, ending with today. */
const days = (counts: readonly number[]) =>
  counts.map((count, at) => {
    const day = new Date()
    day.setDate(day.getDate() - (counts.length - 1 - at))
    // Swedish writes dates as the service does.
    return [day.toLocaleDateString('sv-SE'), count] as const
  })

const valuesOf = (counts: readonly number[]) =>
  days(counts)
    .map(([day, count]) => `('${day}', ${count})`)
    .join(', ')

/** Retrievals of everything by day, ending with today. */
export async function setRetrievalDays(dataDir: string, counts: readonly number[]): Promise<void> {
  await onDatabase(
    dataDir,
    `insert into retrieval_day (day, retrievals) values ${valuesOf(counts)}
     on conflict (day) do update set retrievals = excluded.retrievals`,
  )
}

/** Retrievals of one file by day, ending with today. */
export async function setFileDays(dataDir: string, path: string, counts: readonly number[]): Promise<void> {
  await onDatabase(
    dataDir,
    `with counted (day, count) as (values ${valuesOf(counts)})
     insert into retrieval_file_day (media_nr, day, retrievals)
     select nr, day, count from media, counted where path = '${path}'`,
  )
}

/** Bytes that were stored when each day began, ending with today. */
export async function setUsageDays(dataDir: string, bytes: readonly number[]): Promise<void> {
  await onDatabase(
    dataDir,
    `with counted (day, bytes) as (values ${valuesOf(bytes)})
     insert into usage_day (day, files, bytes) select day, 1, bytes from counted where true
     on conflict (day) do update set bytes = excluded.bytes`,
  )
}
