/** Fills a new instance with the rows and the contents of an archive. */
import { batches, streamBatches } from '../../base/batches.ts'
import { sha256OfStream } from '../../base/hash/sha256.ts'
import type { Manifest } from '../../contract/service/backup-archive.ts'
import type { NewRowsTarget } from '../../database/replacement.ts'
import { archiveTrouble, restoreRefusal } from '../../errors/errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { entriesOf } from '../backup/archive/archive-reader.ts'
import type { FileTable } from '../backup/archive/tables.ts'
import type { LocatedEntry } from '../backup/archive/tar.ts'
import type { ArchiveSource } from './archive-source.ts'
import { openFileSource } from './file-source.ts'
import {
  type ArchivedFileRow,
  continueNumbering,
  createPathNaming,
  filesInTable,
  fillsStatement,
  insertArchivedRows,
  isFileTable,
  RECORDED_NAMING,
  readTables,
  rowsInTable,
} from './rows.ts'

/** Number of objects that are looked up in the store concurrently. */
const CONCURRENT_LOOKUPS = 32

export interface LoadReport {
  /**
   * Paths of files whose bytes were missing when the archive was made. For an archive that has only rows:
   * paths of files whose objects are missing in the store, or have another length than recorded.
   */
  missing: string[]
  /** Paths of files whose bytes already differed from their SHA-256 when the archive was made. */
  altered: string[]
  /** Paths of files whose row was wrong in the archive: its media type, kind or size was corrected. */
  corrected: string[]
  /** Number of files that an interrupted restore of this archive had stored already. */
  resumed: number
}

/** Chooses the files whose contents a rehearsal restores. Of all other files it restores only the rows. */
export interface Sample {
  /** Whether the content of the next file, which has `size` bytes, is restored. */
  takes(size: number): boolean
  onStored(file: { name: string; object: string; sha256: string }): void
}

/**
 * Inserts the rows and stores the contents of the files. Stores no contents if the archive has only rows, and
 * with `sample` only those that the sample takes. The archive has all tables first, then the files (or the
 * list of files) in the order of their rows. A row is written before the content of its file: with
 * PostgreSQL, the rows show which objects an interrupted restore has left
 * (`database/postgres/replacement.ts`).
 */
export async function fillInstance(
  newRows: NewRowsTarget,
  source: ArchiveSource,
  manifest: Manifest,
  onBytes: (count: number) => void,
  sample?: Sample,
): Promise<LoadReport> {
  const { tx, storage } = newRows
  const { archive } = source
  const hasOnlyRows = manifest.nur_liste === true
  if (hasOnlyRows && storage.namesFollowPaths) throw restoreRefusal.onlyList()
  const objectNaming = hasOnlyRows ? RECORDED_NAMING : createPathNaming(newRows)
  const report: LoadReport = { missing: [], altered: [], corrected: [], resumed: 0 }
  const entries = entriesOf(archive, manifest.pruefsummen_ab)
  const nextEntry = async (): Promise<LocatedEntry | undefined> => (await entries.next()).value
  const { tables, entryAfterTables } = await readTables(nextEntry)
  const fileSource = await openFileSource(source, entryAfterTables, nextEntry)

  async function storeFile(
    table: FileTable,
    { row, entryName, isCorrected }: ArchivedFileRow,
  ): Promise<void> {
    const { nr, path, size, sha256: recordedSha256, object } = row
    const file = await fileSource.take(entryName)
    if (!file) return void report.missing.push(path)
    if (sample && !sample.takes(file.size)) return
    // If names follow paths, the new instance is made in a folder that only restores of this archive use
    // (`attemptIdOf`). So an object in it was stored by an interrupted restore of this archive, and
    // completely, because the store never shows a partly written object.
    const mayBeStored = storage.namesFollowPaths && file.sha256 === recordedSha256
    const isStored = mayBeStored && (await storage.measure(object)) === file.size
    if (isStored) report.resumed++
    const storedSha256 = isStored ? recordedSha256 : await storeContent(storage, file.content, object)
    sample?.onStored({ name: entryName, object, sha256: file.sha256 ?? storedSha256 })
    const isIntact = storedSha256 === recordedSha256
    if (!isIntact) report.altered.push(path)
    // The SHA-256 matches, so if the length differs, the length in the row was wrong before the backup.
    const hasWrongSize = isIntact && file.size !== size
    if (hasWrongSize) await tx.updateTable(table).set({ size: file.size }).where('nr', '=', nr).execute()
    if (hasWrongSize || isCorrected) report.corrected.push(path)
    onBytes(file.size)
  }

  for (const [table, entry] of tables) {
    if (isFileTable(table))
      for await (const files of streamBatches(
        filesInTable(archive, table, entry, objectNaming),
        fillsStatement,
      )) {
        await insertArchivedRows(tx, table, files)
        if (hasOnlyRows) report.missing.push(...(await findMissingPaths(storage, files)))
        else for (const file of files) await storeFile(table, file)
      }
    else
      for await (const rows of streamBatches(rowsInTable(archive, table, entry), fillsStatement))
        await insertArchivedRows(tx, table, rows)
    onBytes(entry.size)
  }
  const leftoverName = await fileSource.leftoverName()
  if (leftoverName !== undefined && !hasOnlyRows) throw archiveTrouble.nameForeign(leftoverName)
  await continueNumbering(newRows, manifest.zaehler)
  return report
}

/** Returns the paths of files whose object is missing in the store, or has another length than recorded. */
async function findMissingPaths(storage: Storage, files: readonly ArchivedFileRow[]): Promise<string[]> {
  const missingPaths: string[] = []
  for (const batch of batches(files, CONCURRENT_LOOKUPS)) {
    const sizes = await Promise.all(batch.map(({ row }) => storage.measure(row.object)))
    missingPaths.push(
      ...batch.filter(({ row }, index) => sizes[index] !== row.size).map(({ row }) => row.path),
    )
  }
  return missingPaths
}

/** Stores content under this object name. Returns the SHA-256 of the stored bytes. */
export async function storeContent(
  storage: Storage,
  content: AsyncIterable<Uint8Array>,
  object: string,
): Promise<string> {
  await using staging = await storage.stage()
  let size = 0
  const sha256 = await sha256OfStream(content, chunk => {
    size += chunk.length
    return staging.write(chunk)
  })
  await storage.commit(staging, object, { size, sha256 })
  return sha256
}
