/**
 * The library of `seed.ts` in PostgreSQL, copied by the server itself out of a file. Only rows: no object is
 * ever opened.
 */
import { chmodSync, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { createLog } from '../src/base/log.ts'
import { COUNT_STATEMENTS } from '../src/database/postgres/figures.ts'
import { LIVE_SCHEMA, openPostgres } from '../src/database/postgres/postgres.ts'
import { openFolder, realDisk } from '../test/support/folder.ts'
import { COLUMNS, seededFiles } from './seed.ts'

/**
 * `url` is a database without tables on a server of this machine, of which we are the superuser. Answers the
 * seconds.
 */
export async function seedPostgres(url: string, count: number): Promise<number> {
  const started = performance.now()
  await (
    await openPostgres({
      url,
      log: createLog({ level: 'error', write: console.error, isHumanReadable: true }),
    })
  ).close()
  await using folder = await openFolder(realDisk())
  const file = join(folder.path, 'rows')
  await writeRows(file, count)
  // The server runs under an account of its own.
  chmodSync(folder.path, 0o755)
  await using sql = new SQL({ url, max: 1, connection: { search_path: `${LIVE_SCHEMA},public` } })
  const indexes: { name: string; made: string }[] = await sql`select indexname as name, indexdef as made
    from pg_indexes where schemaname = ${LIVE_SCHEMA} and tablename in ('media', 'media_search') and indexdef not like 'CREATE UNIQUE%'`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await sql.unsafe('alter table media disable trigger user')
  await sql.unsafe(`copy media (${COLUMNS.join(', ')}) from '${file}'`)
  await sql.unsafe('insert into media_search (nr, path) select nr, lower(path) from media')
  for (const { made } of indexes) await sql.unsafe(made)
  for (const count of COUNT_STATEMENTS.filter(each => !each.startsWith('create'))) await sql.unsafe(count)
  await sql.unsafe('update unretrieved_total set files = (select count(*) from media where retrievals < 1)')
  await sql.unsafe('alter table media enable trigger user')
  await sql.unsafe('vacuum analyze')
  return (performance.now() - started) / 1000
}

async function writeRows(file: string, count: number): Promise<void> {
  const out = createWriteStream(file)
  for (const { values } of seededFiles(count)) {
    const line = values.map(value => value ?? '\\N').join('\t')
    if (!out.write(`${line}\n`)) await new Promise(resolve => out.once('drain', resolve))
  }
  await new Promise<void>(resolve => out.end(resolve))
}
