/** Reads the rows of an archive, checks and mends them, and inserts them into a database. */
import { collected } from '../../base/batches.ts'
import { ROW_FILE, TABLE_FOLDER, tableEntry } from '../../contract/upload/archive.ts'
import { COUNTING_TABLES, type Queries } from '../../database/database.ts'
import type { NewRows } from '../../database/replacement.ts'
import { archiveTrouble } from '../../errors/errors.ts'
import { objectName, parseName, trashName } from '../../storage/names.ts'
import type { ArchiveFile } from '../backup/archive/archive-reader.ts'
import { linesOf } from '../backup/archive/stretch.ts'
import { FILE_TABLES, type FileTable, mendedRow, PLAIN_TABLES, type Row } from '../backup/archive/tables.ts'
import type { ReadEntry } from '../backup/archive/tar.ts'
import { wrongColumn } from '../media/file-row.ts'
import { isDerivable } from '../previews/derive.ts'

/** Rows inserted by one statement; each column of each row is a parameter of the statement. */
export const BATCH = 200

export type KnownTable = (typeof PLAIN_TABLES)[number] | FileTable

const KNOWN: readonly string[] = [...PLAIN_TABLES, ...FILE_TABLES]
const isKnown = (name: string): name is KnownTable => KNOWN.includes(name)
export const isFileTable = (name: string): name is FileTable =>
  (FILE_TABLES as readonly string[]).includes(name)

/** The table that an entry of the archive holds; null when the entry does not hold a table. */
export function tableOf({ name }: ReadEntry): KnownTable | null {
  if (!name.startsWith(TABLE_FOLDER)) return null
  const table = name.slice(TABLE_FOLDER.length).replace(/\.jsonl$/, '')
  if (!isKnown(table) || name !== tableEntry(table)) throw archiveTrouble.nameForeign(name)
  return table
}

export interface FileRow {
  nr: number
  path: string
  size: number
  sha256: string
  /** True when the type or kind in the archive was not usable, and is now what the name of the file says. */
  mended: boolean
  /** The name of the file's entry in the archive. */
  entry: string
  /** The name of the object that the bytes are stored as. */
  object: string
}

/** The rows that own bytes, in the order in which their bytes lie in the archive. */
export async function* fileRows(
  archive: ArchiveFile,
  table: FileTable,
  entry: ReadEntry,
  named: ObjectNaming,
): AsyncGenerator<FileRow> {
  for await (const { row, entryName, mended } of parsedRows(archive, table, entry, named)) {
    const { nr, path, size, sha256, object } = row as Omit<FileRow, 'entry' | 'mended'>
    yield { nr, path, size, sha256, object, mended, entry: entryName }
  }
}

export async function insertRows(
  tx: Queries,
  archive: ArchiveFile,
  table: KnownTable,
  entry: ReadEntry,
  named: ObjectNaming,
): Promise<void> {
  let line = 0
  const parsed = parsedRows(archive, table, entry, named)
  for await (const batch of collected(parsed, ({ length }) => length === BATCH)) {
    line += batch.length
    await insertBatch(
      tx,
      table,
      batch.map(({ row }) => row),
    ).catch(cause => {
      throw Object.assign(archiveTrouble.rowInvalid(table, line), { cause })
    })
  }
}

/** The columns are those of the version that wrote the rows, which the types here do not know. */
export async function insertBatch(tx: Queries, table: KnownTable, rows: readonly Row[]): Promise<void> {
  await tx
    .insertInto(table)
    .values(rows as never)
    .execute()
}

export async function correctSize(tx: Queries, table: FileTable, nr: number, size: number): Promise<void> {
  await tx.updateTable(table).set({ size }).where('nr', '=', nr).execute()
}

/**
 * Lets the numbers of each table continue where they stopped, even if the rows with the last numbers are
 * gone: the trash still refers to such numbers.
 */
export async function continueNumbers(
  { tx, queries }: NewRows,
  numbers: Readonly<Record<string, number>>,
): Promise<void> {
  for (const table of COUNTING_TABLES) {
    const last = numbers[table]
    if (last === undefined || last === 0) continue
    for (const statement of queries.countFrom(table, last)) await statement.execute(tx)
  }
}

async function* parsedRows(
  archive: ArchiveFile,
  table: KnownTable,
  { start, size }: ReadEntry,
  named: ObjectNaming,
): AsyncGenerator<{ row: Row; entryName: string; mended: boolean }> {
  let number = 0
  for await (const line of linesOf(archive.handle, start, size)) {
    number++
    const given = parsed(line)
    if (!given) throw archiveTrouble.rowInvalid(table, number)
    if (!isFileTable(table)) {
      yield { row: given, entryName: '', mended: false }
      continue
    }
    const { [ROW_FILE]: entryName, ...columns } = given
    if (typeof entryName !== 'string') throw archiveTrouble.rowInvalid(table, number, ROW_FILE)
    const row = mendedRow(columns)
    const column = 'nr' in row ? wrongColumn(row) : 'nr'
    if (column !== null) throw archiveTrouble.rowInvalid(table, number, column)
    const mended = row.mime !== columns.mime || row.kind !== columns.kind
    if (parseName(String(row.object)) === null && named === AS_RECORDED)
      throw archiveTrouble.rowInvalid(table, number, 'object')
    yield { row: settled(table, row as SoundRow, named), entryName, mended }
  }
}

function parsed(line: string): Row | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null
  } catch {
    return null
  }
}

export type SoundRow = Row & { nr: number; path: string; id: string; mime: string; object: string }

/** The name of the object that a row owns after it was brought here. */
export type ObjectNaming = (table: FileTable, row: SoundRow) => string

/** For rows whose objects lie in the store already, under the names that the rows say. */
export const AS_RECORDED: ObjectNaming = (_, { object }) => object

/** For objects that are stored anew: their names are made from their paths. */
export const namedAnew =
  ({ storage, mark }: Pick<NewRows, 'storage' | 'mark'>): ObjectNaming =>
  (table, { nr, path, id }) =>
    table === 'trash' && storage.namesFollowPaths ? trashName(nr, path, id, mark) : objectName(path, id, mark)

/** The row as it is after it was brought here: with its new object, and without derived files. */
export function settled(table: FileTable, row: SoundRow, named: ObjectNaming): Row {
  const { mime, derived } = row
  const underived = { ...row, object: named(table, row), variant_size: null, preview_size: null }
  if (table === 'trash') return underived
  return {
    ...underived,
    derive_attempts: 0,
    // A file whose derived files were given up before the backup stays given up.
    derived: derived === 'failed' ? 'failed' : isDerivable(mime) ? 'pending' : 'done',
  }
}
