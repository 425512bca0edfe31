/** The retention rules in the database, and the files that are due. */
import { sql } from 'kysely'
import { batches, pages } from '../../base/batches.ts'
import { RETENTION_TRIAL_EXAMPLES } from '../../contract/files/retention.ts'
import type { PeriodStart } from '../../contract/values/limits.ts'
import type { Queries } from '../../database/database.ts'
import { folderOf, keyOf } from '../folders/folder-keys.ts'
import type { MediaRow } from '../media/media.store.ts'
import { STORED_AT, USED_AT } from '../media/periods.ts'
import { type Period, type Rule, ruleFor } from './rules.ts'

/** Number of folders per query. */
const FOLDERS_PER_QUERY = 500

const PERIOD_START: Readonly<Record<PeriodStart, string>> = { hochgeladen: STORED_AT, abgerufen: USED_AT }
const periodStart = (start: PeriodStart) => sql<number>`(${sql.raw(PERIOD_START[start])})`

export const listRules = (db: Queries): Promise<Rule[]> =>
  db.selectFrom('retention_rule').select(['folder', 'days', 'start']).orderBy('nr').execute()

export async function replaceRules(tx: Queries, rules: readonly Rule[]): Promise<void> {
  await tx.deleteFrom('retention_rule').execute()
  const rows = rules.map((rule, nr) => ({ ...rule, nr }))
  if (rows.length > 0) await tx.insertInto('retention_rule').values(rows).execute()
}

export async function startOf(db: Queries, nr: number, start: PeriodStart): Promise<number | null> {
  const row = await db
    .selectFrom('media')
    .select(periodStart(start).as('since'))
    .where('nr', '=', nr)
    .executeTakeFirst()
  return row ? Number(row.since) : null
}

/** A folder, by its key, and when the period of its oldest file started. */
interface FolderStart {
  folder: string
  oldest: number
}

/** The folders whose files belong to this rule, in pages. */
export async function* foldersOf(
  db: Queries,
  rules: readonly Rule[],
  period: Period,
): AsyncGenerator<FolderStart[]> {
  const key = keyOf(period.folder)
  const before = key === '' ? sql`true` : sql`folder < ${`${folderOf(key)}0`}`
  const first = periodStart(period.start)
  const read = async (last: FolderStart | undefined, limit: number) => {
    const from = last ? sql`folder > ${last.folder}` : sql`folder >= ${key}`
    // One index lookup per folder, instead of the minimum over all its files.
    const { rows } = await sql<FolderStart>`select folder,
      (select ${first} from media where media.folder = listed.folder order by ${first} limit 1) as oldest
      from (select distinct folder from folder_usage where ${from} and ${before} order by folder limit ${limit})
      as listed order by folder`.execute(db)
    return rows
  }
  for await (const rows of pages(read, FOLDERS_PER_QUERY)) {
    const own = rows.filter(({ folder }) => ruleFor(rules, folderOf(folder)) === period)
    yield own.map(({ folder, oldest }) => ({ folder, oldest: Number(oldest) }))
  }
}

/** The keys of those folders that have files due, in pages. */
export async function* dueFolders(
  db: Queries,
  rules: readonly Rule[],
  { period, before }: { period: Period; before: number },
): AsyncGenerator<string[]> {
  for await (const folders of foldersOf(db, rules, period)) {
    const due = folders.filter(({ oldest }) => oldest <= before).map(({ folder }) => folder)
    if (due.length > 0) yield due
  }
}

/**
 * The folders of one rule, and a time: files in them are due if their period started at `before` or earlier.
 */
export interface DueFolders {
  period: Period
  folders: readonly string[]
  before: number
}

const dueFiles = (db: Queries, { period, folders, before }: DueFolders) =>
  db.selectFrom('media').where('folder', 'in', folders).where(periodStart(period.start), '<=', before)

export async function dueTotal(db: Queries, due: DueFolders): Promise<{ files: number; bytes: number }> {
  const row = await dueFiles(db, due)
    .select(({ fn }) => [
      fn.countAll<number | string>().as('files'),
      fn.sum<number | string>('size').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  return { files: Number(row.files), bytes: Number(row.bytes ?? 0) }
}

/** Files that are due, those that have been due longest first. */
export async function dueExamples(db: Queries, due: DueFolders): Promise<{ path: string; since: number }[]> {
  const rows = await dueFiles(db, due)
    .select(['path', periodStart(due.period.start).as('since')])
    .orderBy('since')
    .orderBy('path')
    .limit(RETENTION_TRIAL_EXAMPLES)
    .execute()
  return rows.map(({ path, since }) => ({ path, since: Number(since) }))
}

/** Rows of at most `limit` files that are due, `rowsAtOnce` at a time, by number. */
export async function* dueRows(
  tx: Queries,
  due: DueFolders,
  { limit, rowsAtOnce }: { limit: number; rowsAtOnce: number },
): AsyncGenerator<MediaRow[]> {
  const found = await dueFiles(tx, due).select('nr').limit(limit).execute()
  const numbers = found.map(({ nr }) => nr).sort((one, other) => one - other)
  for (const some of batches(numbers, rowsAtOnce))
    yield await tx.selectFrom('media').selectAll().where('nr', 'in', some).orderBy('nr').execute()
}
