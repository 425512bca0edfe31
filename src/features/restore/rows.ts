/** The rows of an archive, on their way back into a database. */
import { ROW_FILE, TABLE_FOLDER, tableEntry } from '../../contract/archive.ts'
import { isValidPath } from '../../contract/paths.ts'
import { COUNTING_TABLES, type Queries, type QueryTraits } from '../../database/database.ts'
import { archiveTrouble } from '../../errors-backup.ts'
import { ID_LENGTH } from '../../ids.ts'
import { objectName, trashName } from '../../storage/names.ts'
import type { ArchiveFile } from '../backup/archive-reader.ts'
import { linesOf } from '../backup/lines.ts'
import { FILE_TABLES, type FileTable, PLAIN_TABLES, type Row } from '../backup/tables.ts'
import type { ReadEntry } from '../backup/tar.ts'
import { isDerivable } from '../previews/derive.ts'

/** Rows of one statement; each column of each is a parameter of it. */
const BATCH = 200
const ID = new RegExp(`^[0-9a-z]{${ID_LENGTH}}$`)

type KnownTable = (typeof PLAIN_TABLES)[number] | FileTable

const KNOWN: readonly string[] = [...PLAIN_TABLES, ...FILE_TABLES]
const isKnown = (name: string): name is KnownTable => KNOWN.includes(name)
export const isFileTable = (name: string): name is FileTable =>
  (FILE_TABLES as readonly string[]).includes(name)

/** The table that an entry of the archive holds; null when it holds none. */
export function tableOf({ name }: ReadEntry): KnownTable | null {
  if (!name.startsWith(TABLE_FOLDER)) return null
  const table = name.slice(TABLE_FOLDER.length).replace(/\.jsonl$/, '')
  if (!isKnown(table) || name !== tableEntry(table)) throw archiveTrouble.nameForeign(name)
  return table
}

export interface FileRow {
  path: string
  sha256: string
  /** Its name in the archive. */
  entry: string
  /** Where its bytes go. */
  object: string
}

/** The rows that own bytes, in the order in which their bytes lie in the archive. */
export async function* fileRows(
  archive: ArchiveFile,
  table: FileTable,
  entry: ReadEntry,
): AsyncGenerator<FileRow> {
  for await (const { row, entryName } of parsedRows(archive, table, entry)) {
    const { path, sha256, object } = row as { path: string; sha256: string; object: string }
    yield { path, sha256, entry: entryName, object }
  }
}

export async function insertRows(
  tx: Queries,
  archive: ArchiveFile,
  table: KnownTable,
  entry: ReadEntry,
): Promise<void> {
  let batch: Row[] = []
  let line = 0
  const insert = async () => {
    if (batch.length === 0) return
    // The columns are those of the archive's own version, which the types here do not know.
    const values = batch as never
    await tx
      .insertInto(table)
      .values(values)
      .execute()
      .catch(cause => {
        throw Object.assign(archiveTrouble.rowInvalid(table, line), { cause })
      })
    batch = []
  }
  for await (const { row } of parsedRows(archive, table, entry)) {
    batch.push(row)
    line++
    if (batch.length === BATCH) await insert()
  }
  await insert()
}

/** Numbers go on where they stopped, also behind rows that are gone: the trash still knows theirs. */
export async function continueNumbers(
  tx: Queries,
  queries: QueryTraits,
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
): AsyncGenerator<{ row: Row; entryName: string }> {
  let number = 0
  for await (const line of linesOf(archive.handle, start, size)) {
    number++
    const given = parsed(line)
    if (!given) throw archiveTrouble.rowInvalid(table, number)
    if (!isFileTable(table)) {
      yield { row: given, entryName: '' }
      continue
    }
    const { [ROW_FILE]: entryName, ...columns } = given
    const row = settled(table, columns)
    if (!row || typeof entryName !== 'string') throw archiveTrouble.rowInvalid(table, number)
    yield { row, entryName }
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

/**
 * The row as it stands after a restore: its object under a name made of its path, nothing derived. Null when path or id,
 * which become names on disk, are none of ours.
 */
function settled(table: FileTable, row: Row): Row | null {
  const { nr, path, id, mime, sha256, derived } = row
  if (typeof path !== 'string' || !isValidPath(path) || typeof id !== 'string' || !ID.test(id)) return null
  if (!Number.isSafeInteger(nr) || typeof mime !== 'string' || typeof sha256 !== 'string') return null
  const underived = { ...row, variant_size: null, preview_size: null }
  if (table === 'trash') return { ...underived, object: trashName(Number(nr), path, id, '') }
  return {
    ...underived,
    object: objectName(path, id),
    derive_attempts: 0,
    // What was given up stays given up.
    derived: derived === 'failed' ? 'failed' : isDerivable(mime) ? 'pending' : 'done',
  }
}
