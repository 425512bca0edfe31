/** Reads the rows of an archive, checks and corrects them, and inserts them. */
import { ARCHIVE_TABLE_FOLDER, FILE_FIELD_OF_ROW, tableEntry } from '../../contract/service/backup-archive.ts'
import { NUMBERED_TABLES, type Queries } from '../../database/database.ts'
import type { NewRowsTarget } from '../../database/replacement.ts'
import { archiveTrouble } from '../../errors/errors.ts'
import { DERIVED_PARTS, emptyPartColumns } from '../../storage/derived-parts.ts'
import { objectName, parseObjectName, trashObjectName } from '../../storage/names.ts'
import { type ArchiveFile, entryLines } from '../backup/archive/archive-reader.ts'
import {
  correctedRow,
  FILE_TABLES,
  type FileTable,
  NON_FILE_TABLES,
  type Row,
} from '../backup/archive/tables.ts'
import type { LocatedEntry } from '../backup/archive/tar.ts'
import { findInvalidColumn } from '../media/check-file-row.ts'
import { isDerivable } from '../previews/derive.ts'

/**
 * Number of rows per INSERT statement. Each column of each row is a parameter, and databases limit the number
 * of parameters.
 */
export const ROWS_PER_STATEMENT = 200
/** Whether a batch has as many rows as one statement may insert. */
export const fillsStatement = ({ length }: readonly unknown[]) => length === ROWS_PER_STATEMENT

export type KnownTable = (typeof NON_FILE_TABLES)[number] | FileTable

const KNOWN_TABLES: readonly string[] = [...NON_FILE_TABLES, ...FILE_TABLES]
const isKnownTable = (name: string): name is KnownTable => KNOWN_TABLES.includes(name)
export const isFileTable = (name: string): name is FileTable =>
  (FILE_TABLES as readonly string[]).includes(name)

/** The table that the entry contains; null if the entry is not a table. Throws if the table is unknown. */
export function tableOf({ name }: LocatedEntry): KnownTable | null {
  if (!name.startsWith(ARCHIVE_TABLE_FOLDER)) return null
  const table = name.slice(ARCHIVE_TABLE_FOLDER.length).replace(/\.jsonl$/, '')
  if (!isKnownTable(table) || name !== tableEntry(table)) throw archiveTrouble.nameForeign(name)
  return table
}

/** Finds the tables at the beginning of the archive, and the entry after them. */
export async function readTables(nextEntry: () => Promise<LocatedEntry | undefined>) {
  const tables = new Map<KnownTable, LocatedEntry>()
  // The first entry is the manifest.
  await nextEntry()
  for (;;) {
    const entry = await nextEntry()
    const table = entry ? tableOf(entry) : null
    if (table === null) return { tables, entryAfterTables: entry }
    tables.set(table, entry!)
  }
}

/** A row of the archive, and the number of its line in the entry of its table, from 1. */
interface ArchivedRow {
  row: Row
  lineNumber: number
}

/** The row of a file, as it will be restored. */
export interface ArchivedFileRow {
  row: ValidRow
  lineNumber: number
  /** The name of the file in the archive, such as `dateien/…`. */
  entryName: string
  /** Whether the media type or the kind was wrong in the archive and has been corrected. */
  isCorrected: boolean
}

export async function insertArchivedRows(
  tx: Queries,
  table: KnownTable,
  archivedRows: readonly ArchivedRow[],
): Promise<void> {
  const rows = archivedRows.map(({ row }) => row)
  await insertBatch(tx, table, rows).catch(cause => {
    throw Object.assign(archiveTrouble.rowInvalid(table, archivedRows.at(-1)!.lineNumber), { cause })
  })
}

/** Inserts rows, which may have columns of an earlier version that the types here do not know. */
export async function insertBatch(tx: Queries, table: KnownTable, rows: readonly Row[]): Promise<void> {
  await tx
    .insertInto(table)
    .values(rows as never)
    .execute()
}

/**
 * Ensures that new rows get higher numbers than all earlier rows, including deleted ones, because the trash
 * still refers to the numbers of deleted files. `lastNumbers`: the last number that each table had assigned.
 */
export async function continueNumbering(
  { tx, queryTraits }: NewRowsTarget,
  lastNumbers: Readonly<Record<string, number>>,
): Promise<void> {
  for (const table of NUMBERED_TABLES) {
    const lastNumber = lastNumbers[table]
    if (lastNumber === undefined || lastNumber === 0) continue
    for (const statement of queryTraits.continueNumberingAfter(table, lastNumber)) await statement.execute(tx)
  }
}

export async function* rowsInTable(
  archive: ArchiveFile,
  table: KnownTable,
  entry: LocatedEntry,
): AsyncGenerator<ArchivedRow> {
  let lineNumber = 0
  for await (const lineText of entryLines(archive, entry)) {
    const row = parseRow(lineText)
    lineNumber++
    if (!row) throw archiveTrouble.rowInvalid(table, lineNumber)
    yield { row, lineNumber }
  }
}

/**
 * Yields the rows of a table of files (`media` or `trash`) as a restore inserts them, in the order of the
 * files in the archive. Throws if a row is invalid.
 */
export async function* filesInTable(
  archive: ArchiveFile,
  table: FileTable,
  entry: LocatedEntry,
  objectNaming: ObjectNaming,
): AsyncGenerator<ArchivedFileRow> {
  for await (const { row: archivedRow, lineNumber } of rowsInTable(archive, table, entry)) {
    const { [FILE_FIELD_OF_ROW]: entryName, ...columns } = archivedRow
    if (typeof entryName !== 'string') throw archiveTrouble.rowInvalid(table, lineNumber, FILE_FIELD_OF_ROW)
    const row = correctedRow(columns)
    const invalidColumn = 'nr' in row ? findInvalidColumn(row) : 'nr'
    if (invalidColumn !== null) throw archiveTrouble.rowInvalid(table, lineNumber, invalidColumn)
    if (parseObjectName(String(row.object)) === null && objectNaming === RECORDED_NAMING)
      throw archiveTrouble.rowInvalid(table, lineNumber, 'object')
    const isCorrected = row.mime !== columns.mime || row.kind !== columns.kind
    yield { row: restoredRow(table, row as ValidRow, objectNaming), lineNumber, entryName, isCorrected }
  }
}

function parseRow(line: string): Row | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null
  } catch {
    return null
  }
}

export type ValidRow = Row &
  Record<'path' | 'id' | 'mime' | 'object' | 'sha256', string> &
  Record<'nr' | 'size', number>

/** Returns the name that a row's object has after the restore. */
export type ObjectNaming = (table: FileTable, row: ValidRow) => string

/** The naming for an archive that has only rows: the objects are in the store and keep their names. */
export const RECORDED_NAMING: ObjectNaming = (_, { object }) => object

/**
 * Returns the naming for objects that are newly written: the name is made from the path and the id of the
 * file.
 */
export const createPathNaming =
  ({ storage, mark }: Pick<NewRowsTarget, 'storage' | 'mark'>): ObjectNaming =>
  (table, { nr, path, id }) =>
    table === 'trash' && storage.namesFollowPaths
      ? trashObjectName(nr, path, id, mark)
      : objectName(path, id, mark)

/** The row after the restore: with the new name of its object, and without derived files. */
export function restoredRow(table: FileTable, row: ValidRow, objectNaming: ObjectNaming): ValidRow {
  const { mime, derived: derivedState } = row
  const commonColumns = { ...row, object: objectNaming(table, row), ...emptyPartColumns(DERIVED_PARTS) }
  if (table === 'trash') return commonColumns
  return {
    ...commonColumns,
    derive_attempts: 0,
    // Files whose derivation had failed permanently before the backup are not tried again.
    derived: derivedState === 'failed' ? 'failed' : isDerivable(mime) ? 'pending' : 'done',
  }
}
