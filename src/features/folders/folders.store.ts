/** Reads the running totals of folders: files and bytes by kind, maintained by triggers. */
import { sql } from 'kysely'
import type { Kind } from '../../contract/paths/kinds.ts'
import type { Database, Queries } from '../../database/database.ts'
import { type Area, everythingBelow } from '../../http/access/library-area.ts'
import { keyOf, subfolderExpression, whereInArea } from './folder-keys.ts'

export interface FolderTotals {
  files: number
  bytes: number
}

const sumColumns = () => [sql<number>`sum(files)`.as('files'), sql<number>`sum(bytes)`.as('bytes')] as const

/**
 * Counts the files in an area. If `includesSubfolders` is false, only the files directly in the folder of the
 * area.
 */
export async function countFiles(
  db: Queries,
  {
    area,
    includesSubfolders = true,
    kinds,
  }: { area: Area; includesSubfolders?: boolean; kinds?: readonly Kind[] | undefined },
): Promise<number> {
  let query = db.selectFrom('folder_usage').select(({ fn }) => fn.sum<number | string>('files').as('files'))
  if (!includesSubfolders) query = query.where('folder', '=', keyOf(area.baseFolder))
  for (const condition of whereInArea('folder', area)) query = query.where(condition)
  if (kinds) query = query.where('kind', 'in', kinds)
  return Number((await query.executeTakeFirst())?.files ?? 0)
}

export async function readAreaTotals(db: Queries, area: Area): Promise<FolderTotals> {
  let query = db.selectFrom('folder_usage').select(sumColumns())
  for (const condition of whereInArea('folder', area)) query = query.where(condition)
  const row = await query.executeTakeFirst()
  return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) }
}

/**
 * The folders directly in the area, with totals that include their subfolders, and the number of all files in
 * the area.
 */
export async function directSubfolders(
  { slowRead: db, queryTraits }: Database,
  area: Area,
): Promise<{ folders: ({ name: string } & FolderTotals)[]; filesBelow: number }> {
  const nameColumn = subfolderExpression(area, queryTraits)
  // Groups by folder first, which is the table's order, and only then by name.
  let folderQuery = db
    .selectFrom('folder_usage')
    .select(['folder', ...sumColumns()])
    .groupBy('folder')
  for (const condition of whereInArea('folder', area)) folderQuery = folderQuery.where(condition)
  const rows = await db
    .selectFrom(folderQuery.as('each'))
    .select([nameColumn.as('name'), ...sumColumns()])
    .groupBy(nameColumn)
    .orderBy('name')
    .execute()
  const totalsByName = rows.map(row => ({
    name: row.name,
    files: Number(row.files),
    bytes: Number(row.bytes),
  }))
  return {
    // The row without a name stands for the files directly in the area.
    folders: totalsByName.filter(row => row.name !== ''),
    filesBelow: totalsByName.reduce((sum, { files }) => sum + files, 0),
  }
}

/**
 * Every folder that directly contains files, in the order of the keys, with the totals of these files; at
 * most `limit` folders. With `kinds` only files of these kinds count.
 */
export async function foldersWithFiles(
  db: Queries,
  area: Area,
  { limit, kinds }: { limit?: number; kinds?: readonly Kind[] | undefined } = {},
): Promise<({ key: string } & FolderTotals)[]> {
  let query = db
    .selectFrom('folder_usage')
    .select(['folder as key', ...sumColumns()])
    .groupBy('folder')
    .orderBy('folder')
  for (const condition of whereInArea('folder', area)) query = query.where(condition)
  if (kinds) query = query.where('kind', 'in', kinds)
  if (limit !== undefined) query = query.limit(limit)
  const rows = await query.execute()
  return rows.map(row => ({ key: row.key, files: Number(row.files), bytes: Number(row.bytes) }))
}

export async function folderExists(db: Queries, folder: string): Promise<boolean> {
  return (await countFiles(db, { area: everythingBelow(folder) })) > 0
}
