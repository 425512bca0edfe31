/** Reads the rows of an archive, checks and mends them, and inserts them into a database. */
import { collected } from '../../batches.ts'
import { ROW_FILE, TABLE_FOLDER, tableEntry } from '../../contract/archive.ts'
import { COUNTING_TABLES, type Queries } from '../../database/database.ts'
import type { NewRows } from '../../database/replacement.ts'
import { archiveTrouble } from '../../errors.ts'
import { objectName, trashName } from '../../storage/names.ts'
import type { ArchiveFile } from '../backup/archive-reader.ts'
import { linesOf } from '../backup/stretch.ts'
import { FILE_TABLES, type FileTable, mendedRow, PLAIN_TABLES, type Row } from '../backup/tables.ts'
import type { ReadEntry } from '../backup/tar.ts'
import { wrongColumn } from '../media/file-row.ts'
import { isDerivable } from '../previews/derive.ts'

/** Rows inserted by one statement; each column of each row is a parameter of the statement. */
const BATCH = 200

type KnownTable = (typeof PLAIN_TABLES)[number] | FileTable

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
): AsyncGenerator<FileRow> {
  for await (const { row, entryName, mended } of parsedRows(archive, table, entry)) {
    const { nr, path, size, sha256, object } = row as Omit<FileRow, 'entry' | 'mended'>
    yield { nr, path, size, sha256, object, mended, entry: entryName }
  }
}

export async function insertRows(
  tx: Queries,
  archive: ArchiveFile,
  table: KnownTable,
  entry: ReadEntry,
): Promise<void> {
  let line = 0
  const parsed = parsedRows(archive, table, entry)
  for await (const batch of collected(parsed, ({ length }) => length === BATCH)) {
    line += batch.length
    // The columns are those of the version that wrote the archive, which the types here do not know.
    const values = batch.map(({ row }) => row) as never
    await tx
      .insertInto(table)
      .values(values)
      .execute()
      .catch(cause => {
        throw Object.assign(archiveTrouble.rowInvalid(table, line), { cause })
      })
  }
}

export async function correctSize(tx: Queries, table: FileTable, nr: number, size: number): Promise<void> {
  await tx.updateTable(table).set({ size }).where('nr', '=', nr).execute()
}

/**
 * Lets the numbers of each table continue where they stopped, even if the rows with the last numbers are gone: the
 * trash still refers to such numbers.
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
    yield { row: settled(table, row as SoundRow), entryName, mended }
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

type SoundRow = Row & { nr: number; path: string; id: string; mime: string }

/** The row as it is after a restore: its object has a name made from its path, and no derived files exist. */
function settled(table: FileTable, row: SoundRow): Row {
  const { nr, path, id, mime, derived } = row
  const underived = { ...row, variant_size: null, preview_size: null }
  if (table === 'trash') return { ...underived, object: trashName(nr, path, id, '') }
  return {
    ...underived,
    object: objectName(path, id),
    derive_attempts: 0,
    // A file whose derived files were given up before the backup stays given up.
    derived: derived === 'failed' ? 'failed' : isDerivable(mime) ? 'pending' : 'done',
  }
}
