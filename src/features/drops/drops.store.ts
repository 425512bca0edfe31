/** Reads and writes the rows of drop links. */
import { type Selectable, sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { DropLinkTable } from '../../database/schema.ts'
import { type Area, isFolderInside } from '../../http/access/library-area.ts'

export type DropRow = Selectable<DropLinkTable>

/** The drop links to folders of the area, newest first. */
export async function listDrops(db: Queries, area: Area): Promise<DropRow[]> {
  const rows = await db
    .selectFrom('drop_link')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('key')
    .execute()
  return rows.filter(({ folder }) => isFolderInside(folder, area))
}

export async function findDrop(db: Queries, key: string): Promise<DropRow | null> {
  return (await db.selectFrom('drop_link').selectAll().where('key', '=', key).executeTakeFirst()) ?? null
}

export async function insertDrop(tx: Queries, row: DropRow): Promise<void> {
  await tx.insertInto('drop_link').values(row).execute()
}

export async function deleteDrop(tx: Queries, key: string): Promise<void> {
  await tx.deleteFrom('drop_link').where('key', '=', key).execute()
}

/** Counts a file that was handed in. Returns false, and counts nothing, if the link is full or gone. */
export async function recordHandedInFile(tx: Queries, key: string, size: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('drop_link')
    .set(({ eb }) => ({ files: eb('files', '+', 1), bytes: eb('bytes', '+', size) }))
    .where('key', '=', key)
    .whereRef('files', '<', 'max_files')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Updates the links to a folder and to its subfolders when the folder is renamed or moved. */
export async function redirectDrops(tx: Queries, from: string, to: string): Promise<void> {
  await tx
    .updateTable('drop_link')
    .set({ folder: sql<string>`${to} || substr(folder, ${sql.lit(from.length + 1)})` })
    // `0` is the character after `/` in ASCII, so the range contains exactly the paths that begin with the
    // folder and a slash.
    .where(({ eb, and, or }) =>
      or([eb('folder', '=', from), and([eb('folder', '>', `${from}/`), eb('folder', '<', `${from}0`)])]),
    )
    .execute()
}
