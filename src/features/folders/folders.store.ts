/** The running figures of folders: what is in them, by kind. Cheap however many files there are. */
import { sql } from 'kysely'
import type { Kind } from '../../contract/kinds.ts'
import type { Database, Queries } from '../../database/database.ts'
import { below, keyOf } from './folder-keys.ts'

export interface FolderFigures {
  files: number
  bytes: number
}

const sums = () => [sql<number>`sum(files)`.as('files'), sql<number>`sum(bytes)`.as('bytes')] as const

/** Files in a folder, or in the whole library; `deep`: with everything in its subfolders. */
export async function countFiles(
  db: Queries,
  { folder, deep, kind }: { folder: string; deep: boolean; kind?: Kind | undefined },
): Promise<number> {
  let query = db.selectFrom('folder_usage').select(({ fn }) => fn.sum<number | string>('files').as('files'))
  if (!deep) query = query.where('folder', '=', folder)
  for (const condition of deep ? below('folder', folder) : []) query = query.where(condition)
  if (kind) query = query.where('kind', '=', kind)
  return Number((await query.executeTakeFirst())?.files ?? 0)
}

/** A folder's inside: the folders directly in it, each with all that lies below it, and the files below in all. */
export async function insideOf(
  { browse, queries }: Database,
  key: string,
): Promise<{ folders: ({ name: string } & FolderFigures)[]; filesBelow: number }> {
  const name = queries.firstSegment('folder', key.length)
  // First by folder, which is the order they lie in; only then by their names.
  let each = browse
    .selectFrom('folder_usage')
    .select(['folder', ...sums()])
    .groupBy('folder')
  for (const condition of below('folder', key)) each = each.where(condition)
  const rows = await browse
    .selectFrom(each.as('each'))
    .select([name.as('name'), ...sums()])
    .groupBy(name)
    .orderBy('name')
    .execute()
  const all = rows.map(row => ({ name: row.name, files: Number(row.files), bytes: Number(row.bytes) }))
  return {
    // What lies directly in it comes without a name.
    folders: all.filter(row => row.name !== ''),
    filesBelow: all.reduce((sum, { files }) => sum + files, 0),
  }
}

/** Every folder that has files, with what lies directly in it, in the order of names. */
export async function allFolders(db: Queries): Promise<({ key: string } & FolderFigures)[]> {
  const rows = await db
    .selectFrom('folder_usage')
    .select(['folder as key', ...sums()])
    .groupBy('folder')
    .orderBy('folder')
    .execute()
  return rows.map(row => ({ key: row.key, files: Number(row.files), bytes: Number(row.bytes) }))
}

export async function folderExists(db: Queries, folder: string): Promise<boolean> {
  return (await countFiles(db, { folder: keyOf(folder), deep: true })) > 0
}
