/**
 * Writes an archive: the rows of one database snapshot, then, unless only rows are saved, the list of the
 * files. The content of a file is stored at the target before its line in the list is written. While the
 * lease `backup` is held, no discarded object is removed (`media/discards.ts`), so the objects of the
 * snapshot stay readable.
 */
import { open } from 'node:fs/promises'
import { streamBatches } from '../../../base/batches.ts'
import {
  ARCHIVE_FORMAT,
  checksumLine,
  FILE_FIELD_OF_ROW,
  FILE_LIST_ENTRY,
  MAX_MANIFEST_NAMES,
  type Manifest,
  tableEntry,
} from '../../../contract/service/backup-archive.ts'
import type { Queries, QueryTraits } from '../../../database/database.ts'
import { readLastAssignedNumbers } from '../../../database/highest-number.ts'
import { MIGRATION_NAMES } from '../../../database/migrate.ts'
import { longPath } from '../../../storage/local/platform.ts'
import type { FeatureParts } from '../../feature.ts'
import { addName, type CountedNames, emptyNameList } from '../../integrity/names.ts'
import { findInvalidColumn } from '../../media/check-file-row.ts'
import { isBatchFull, type StockEntry } from '../places/place.ts'
import { type ArchiveWriter, createArchiveWriter } from './archive-writer.ts'
import { createEntryNames, trashEntryName } from './entry-names.ts'
import { readPieces, splitIntoLines } from './read-file.ts'
import { correctedRow, FILE_TABLES, type FileTable, NON_FILE_TABLES, type Row, rowsOf } from './tables.ts'

export interface WriteArchiveParts extends Pick<FeatureParts, 'database' | 'now'> {
  /** Written into the manifest: where the archive comes from. */
  service: { name: string; version: string }
}

export interface WriteArchiveOptions {
  file: string
  signal: AbortSignal
  /**
   * Stores the content of a file at the target. Returns what was stored, or null if the library lacks the
   * content. Called concurrently. If this option itself is null, the archive has only rows.
   */
  storeContent: ((row: FileRow) => Promise<StockEntry | null>) | null
  /** Called once, after the rows are written, with the number of bytes written so far. */
  onBytes: (count: number) => void
}

export interface WrittenArchive {
  bytes: number
  /** Total bytes of the contents of all files in the file list; 0 if only rows are saved. */
  contentBytes: number
  /** Files whose bytes were not found. The archive has their rows, but its file list has no line for them. */
  missingFiles: CountedNames
  /** Files whose stored bytes do not have the SHA-256 that their row states. */
  alteredFiles: CountedNames
  /** Files whose rows are invalid, so that a restore of the archive would fail. */
  unusableFiles: CountedNames
}

type EntryRange = { start: number; size: number }
interface WrittenRows {
  createdAt: number
  rowCounts: Record<string, number>
  /** For each numbered table, the last number that it has assigned to a row. */
  numbers: Record<string, number>
  /** The positions and lengths in the archive of the rows of `media` and of `trash`. */
  tableRanges: Record<FileTable, EntryRange>
}

export async function writeArchive(
  parts: WriteArchiveParts,
  { file, signal, storeContent, onBytes }: WriteArchiveOptions,
): Promise<WrittenArchive> {
  const { database, service, now } = parts
  const createdAt = now()
  await using writer = await createArchiveWriter(file, createdAt)
  // A second handle, for reading: `fileRows` reads the rows back from the archive while the file list is
  // appended to it.
  await using readHandle = await open(longPath(file), 'r')
  const writtenRows = await database.snapshot(snapshot =>
    writeRows({ writer, db: snapshot, queryTraits: database.queryTraits, createdAt, signal }),
  )
  onBytes(writer.length)
  const damage = {
    missingFiles: emptyNameList(),
    alteredFiles: emptyNameList(),
    unusableFiles: emptyNameList(),
  }
  let contentBytes = 0

  async function* fileRows() {
    for (const table of FILE_TABLES) {
      const { start, size } = writtenRows.tableRanges[table]
      for await (const line of splitIntoLines(readPieces(readHandle, start, size)))
        yield JSON.parse(line) as FileRow
    }
  }

  async function* fileLines(store: NonNullable<typeof storeContent>) {
    for await (const batch of streamBatches(fileRows(), isBatchFull)) {
      signal.throwIfAborted()
      const storedEntries = await Promise.all(batch.map(store))
      const lines = batch.map((row, index) => {
        const entry = storedEntries[index] ?? null
        recordDamage(damage, row, entry)
        contentBytes += entry?.size ?? 0
        return entry ? checksumLine(entry.sha256, row[FILE_FIELD_OF_ROW]) : ''
      })
      yield Buffer.from(lines.join(''))
    }
  }

  if (storeContent) await writer.appendEntry(FILE_LIST_ENTRY, fileLines(storeContent))
  await writer.finish({
    ...manifestOf(writtenRows, service, damage, contentBytes),
    ...(!storeContent && { nur_liste: true as const }),
  })
  return { bytes: writer.length, contentBytes, ...damage }
}

interface WriteRowsParts {
  writer: ArchiveWriter
  db: Queries
  queryTraits: QueryTraits
  createdAt: number
  signal: AbortSignal
}

async function writeRows({
  writer,
  db,
  queryTraits,
  createdAt,
  signal,
}: WriteRowsParts): Promise<WrittenRows> {
  const rowCounts: Record<string, number> = {}
  const writeTable = (table: (typeof NON_FILE_TABLES)[number] | FileTable, transform?: (row: Row) => Row) => {
    rowCounts[table] = 0
    return writer.appendEntry(tableEntry(table), lines())

    async function* lines() {
      for await (const page of rowsOf(db, table)) {
        signal.throwIfAborted()
        rowCounts[table]! += page.length
        yield Buffer.from(`${page.map(row => JSON.stringify(transform ? transform(row) : row)).join('\n')}\n`)
      }
    }
  }
  for (const table of NON_FILE_TABLES) await writeTable(table)
  const entryNames = createEntryNames()
  for await (const page of rowsOf(db, 'media', ['nr', 'path'])) {
    for (const { path } of page) entryNames.addPath(String(path))
  }
  const ranges = {
    // `folder` is a generated column and cannot be written back.
    media: await writeTable('media', ({ folder: _, ...row }) => ({
      ...row,
      [FILE_FIELD_OF_ROW]: entryNames.nameOf(String(row.path), Number(row.nr)),
    })),
    trash: await writeTable('trash', row => ({
      ...row,
      [FILE_FIELD_OF_ROW]: trashEntryName(Number(row.nr), String(row.path)),
    })),
  }
  return {
    createdAt,
    rowCounts,
    numbers: await readLastAssignedNumbers(db, queryTraits),
    tableRanges: ranges,
  }
}

export interface FileRow extends Row {
  path: string
  object: string
  sha256: string
  size: number
  updated_at: number
  [FILE_FIELD_OF_ROW]: string
}

type Damage = Omit<WrittenArchive, 'bytes' | 'contentBytes'>

/**
 * Adds the path of the file to the lists in `damage` if its row is invalid, or if its content is missing or
 * altered.
 */
function recordDamage(damage: Damage, row: FileRow, storedEntry: StockEntry | null): void {
  if (findInvalidColumn(correctedRow(row)) !== null)
    addName(damage.unusableFiles, row.path, MAX_MANIFEST_NAMES)
  if (storedEntry === null) addName(damage.missingFiles, row.path, MAX_MANIFEST_NAMES)
  else if (storedEntry.sha256 !== row.sha256) addName(damage.alteredFiles, row.path, MAX_MANIFEST_NAMES)
}

function manifestOf(
  writtenRows: WrittenRows,
  service: WriteArchiveParts['service'],
  { missingFiles, alteredFiles }: Damage,
  contentBytes: number,
): Omit<Manifest, 'pruefsummen_ab'> {
  return {
    format: ARCHIVE_FORMAT,
    dienst: service.name,
    version: service.version,
    zeit: writtenRows.createdAt,
    schema: [...MIGRATION_NAMES],
    tabellen: writtenRows.rowCounts,
    zaehler: writtenRows.numbers,
    dateien: writtenRows.rowCounts.media ?? 0,
    papierkorb: writtenRows.rowCounts.trash ?? 0,
    bytes: contentBytes,
    fehlend: { anzahl: missingFiles.count, namen: missingFiles.names },
    veraendert: { anzahl: alteredFiles.count, namen: alteredFiles.names },
  }
}
