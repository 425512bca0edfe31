/** The retention rules in the database, and the files that are due. */
import { sql } from 'kysely'
import { batches, readPages } from '../../base/batches.ts'
import type { PeriodStart } from '../../contract/files/choices.ts'
import { RETENTION_TRIAL_EXAMPLES } from '../../contract/files/retention.ts'
import type { Queries } from '../../database/database.ts'
import { folderOf, keyOf } from '../folders/folder-keys.ts'
import type { MediaRow } from '../media/media.store.ts'
import { STORED_AT_SQL, USED_AT_SQL } from '../media/time-columns.ts'
import { type MovingRule, type Rule, ruleForFolder } from './rules.ts'

const FOLDERS_PER_QUERY = 500

const PERIOD_START_SQL: Readonly<Record<PeriodStart, string>> = {
  hochgeladen: STORED_AT_SQL,
  abgerufen: USED_AT_SQL,
}
const periodStartSql = (start: PeriodStart) => sql<number>`(${sql.raw(PERIOD_START_SQL[start])})`

export const listRules = (db: Queries): Promise<Rule[]> =>
  db.selectFrom('retention_rule').select(['folder', 'days', 'start']).orderBy('nr').execute()

export async function replaceRules(tx: Queries, rules: readonly Rule[]): Promise<void> {
  await tx.deleteFrom('retention_rule').execute()
  const rows = rules.map((rule, nr) => ({ ...rule, nr }))
  if (rows.length > 0) await tx.insertInto('retention_rule').values(rows).execute()
}

export async function periodStartOf(db: Queries, nr: number, start: PeriodStart): Promise<number | null> {
  const row = await db
    .selectFrom('media')
    .select(periodStartSql(start).as('since'))
    .where('nr', '=', nr)
    .executeTakeFirst()
  return row ? Number(row.since) : null
}

/**
 * A folder, as its key (the path with a final `/`; empty for the top folder), and the earliest time at which
 * the retention period of one of its files started, in Unix milliseconds.
 */
interface FolderPeriodStart {
  folder: string
  oldest: number
}

/**
 * Yields the folders that have files to which `rule` applies, page by page. `rules`: all rules, because
 * another one may apply to a subfolder.
 */
export async function* foldersUnderRule(
  db: Queries,
  rules: readonly Rule[],
  rule: MovingRule,
): AsyncGenerator<FolderPeriodStart[]> {
  const key = keyOf(rule.folder)
  const upperBound = key === '' ? sql`true` : sql`folder < ${`${folderOf(key)}0`}`
  const startSql = periodStartSql(rule.start)
  const readPage = async (lastFolder: FolderPeriodStart | undefined, limit: number) => {
    const lowerBound = lastFolder ? sql`folder > ${lastFolder.folder}` : sql`folder >= ${key}`
    // One index lookup per folder, instead of the minimum over all its files.
    const { rows } = await sql<FolderPeriodStart>`select folder,
      (select ${startSql} from media where media.folder = listed.folder order by ${startSql} limit 1) as oldest
      from (select distinct folder from folder_usage where ${lowerBound} and ${upperBound} order by folder limit ${limit})
      as listed order by folder`.execute(db)
    return rows
  }
  for await (const rows of readPages(readPage, FOLDERS_PER_QUERY)) {
    const foldersOfRule = rows.filter(({ folder }) => ruleForFolder(rules, folderOf(folder)) === rule)
    yield foldersOfRule.map(({ folder, oldest }) => ({ folder, oldest: Number(oldest) }))
  }
}

/** Yields the keys of the folders that have files due under this rule, page by page. */
export async function* findDueFolders(
  db: Queries,
  rules: readonly Rule[],
  { rule, latestStart }: { rule: MovingRule; latestStart: number },
): AsyncGenerator<string[]> {
  for await (const folders of foldersUnderRule(db, rules, rule)) {
    const dueKeys = folders.filter(({ oldest }) => oldest <= latestStart).map(({ folder }) => folder)
    if (dueKeys.length > 0) yield dueKeys
  }
}

/**
 * Keys of folders to which `rule` applies. A file in them is due if its period started at `latestStart` (Unix
 * milliseconds) or earlier.
 */
export interface DueFolders {
  rule: MovingRule
  folders: readonly string[]
  latestStart: number
}

const selectDueFiles = (db: Queries, { rule, folders, latestStart }: DueFolders) =>
  db.selectFrom('media').where('folder', 'in', folders).where(periodStartSql(rule.start), '<=', latestStart)

export async function countDueFiles(
  db: Queries,
  dueFolders: DueFolders,
): Promise<{ files: number; bytes: number }> {
  const row = await selectDueFiles(db, dueFolders)
    .select(({ fn }) => [
      fn.countAll<number | string>().as('files'),
      fn.sum<number | string>('size').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  return { files: Number(row.files), bytes: Number(row.bytes ?? 0) }
}

/** Lists at most `RETENTION_TRIAL_EXAMPLES` files that are due, the longest overdue first. */
export async function listDueExamples(
  db: Queries,
  dueFolders: DueFolders,
): Promise<{ path: string; since: number }[]> {
  const rows = await selectDueFiles(db, dueFolders)
    .select(['path', periodStartSql(dueFolders.rule.start).as('since')])
    .orderBy('since')
    .orderBy('path')
    .limit(RETENTION_TRIAL_EXAMPLES)
    .execute()
  return rows.map(({ path, since }) => ({ path, since: Number(since) }))
}

/**
 * Yields the rows of at most `limit` files that are due, in batches of `rowsPerStatement` rows, ordered by
 * number.
 */
export async function* readDueRows(
  tx: Queries,
  dueFolders: DueFolders,
  { limit, rowsPerStatement }: { limit: number; rowsPerStatement: number },
): AsyncGenerator<MediaRow[]> {
  const dueNumbers = await selectDueFiles(tx, dueFolders).select('nr').limit(limit).execute()
  const fileNumbers = dueNumbers.map(({ nr }) => nr).sort((a, b) => a - b)
  for (const batch of batches(fileNumbers, rowsPerStatement))
    yield await tx.selectFrom('media').selectAll().where('nr', 'in', batch).orderBy('nr').execute()
}
