/**
 * Rehearses a restore: restores an archive as an instance in a scratch folder, with the code of a real
 * restore, and compares the result with the archive. All rows are restored and compared. Every content must
 * be present, but only a sample of them is restored and read back (all of them in a small library), because a
 * full restore would need as much space as the library. The daily backup rereads the other contents over
 * time.
 */
import { newId } from '../../base/ids.ts'
import type { RehearsalReport } from '../../contract/service/backup.ts'
import { type Manifest, WHOLE_ARCHIVE_FORMAT } from '../../contract/service/backup-archive.ts'
import { countRows } from '../../database/count-rows.ts'
import { beginSqliteInstanceReplacement } from '../../database/sqlite/replacement.ts'
import { openLiveDatabase } from '../../database/sqlite/swap.ts'
import { archiveTrouble, rehearsalTrouble } from '../../errors/errors.ts'
import { createDiskStorage } from '../../storage/disk/disk.ts'
import { diskSpace } from '../../storage/local/space.ts'
import type { ListedFile } from '../backup/archive/file-list.ts'
import { readManifest } from '../backup/archive/verify.ts'
import type { Place } from '../backup/places/place.ts'
import { readContentSizes } from '../backup/stock/stock-index.ts'
import { hashObject } from '../integrity/examine.ts'
import { type ArchiveSource, openArchiveSource, verifyArchiveSource } from '../restore/archive-source.ts'
import { fillInstance } from '../restore/fill-instance.ts'
import type { KnownTable } from '../restore/rows.ts'
import { compareRows } from './compare-rows.ts'
import { createSample, type StoredFile } from './sample.ts'

/** How many times larger the restored database, with its indexes, may be than its rows in the archive. */
const DATABASE_GROWTH_FACTOR = 4

export interface RehearseOptions {
  place: Place
  /** Names of the archives at the target, newest first. */
  names: readonly string[]
  /** An empty folder; the caller removes it. */
  scratch: string
  /** Returns the free bytes in a folder; null if unknown. */
  freeBytes?: (folder: string) => Promise<number | null>
  /** May throw, to stop the rehearsal. */
  onProgress: (doneBytes: number, totalBytes: number) => void
}

export type RehearsalResult = Pick<RehearsalReport, 'archiv' | 'ort' | 'zeilen' | 'dateien' | 'stichprobe'>

/** Rejects if the archive cannot be restored, or if the result differs from it. */
export async function rehearse(options: RehearseOptions): Promise<RehearsalResult> {
  const { place, scratch, freeBytes = freeBytesIn, onProgress } = options
  const { name, manifest, source } = await openNewestArchive(place, options.names)
  await using archive = source.archive
  const contentBytes = manifest.format === WHOLE_ARCHIVE_FORMAT ? manifest.bytes : 0
  const databaseBytes = DATABASE_GROWTH_FACTOR * (archive.size - contentBytes)
  const freeSpace = await freeBytes(scratch)
  // Half of the free space is left to the service.
  const usableBytes = freeSpace === null ? Number.POSITIVE_INFINITY : freeSpace / 2
  if (usableBytes < databaseBytes) throw rehearsalTrouble.full(2 * databaseBytes, freeSpace!)
  const sample = createSample(manifest, usableBytes - databaseBytes)

  const totalBytes = 2 * archive.size + sample.expectedBytes
  let doneBytes = 0
  const onBytes = (count: number) => {
    doneBytes += count
    onProgress(Math.min(doneBytes, totalBytes), totalBytes)
  }
  await verifyArchiveSource(source, onBytes, requireContents)
  const instance = await beginSqliteInstanceReplacement({ dataDir: scratch, newId, now: Date.now })
  let zeilen: number
  try {
    zeilen = await instance.load(manifest.schema, async newRows => {
      const { corrected: correctedPaths } = await fillInstance(newRows, source, manifest, onBytes, sample)
      return compareRows(newRows, archive, manifest, new Set(correctedPaths))
    })
    await instance.swap()
  } finally {
    await instance.release()
  }
  await verifyRestoredInstance(scratch, manifest, sample.storedFiles)
  const dateien = manifest.dateien + manifest.papierkorb
  return { archiv: name, ort: place.name, zeilen, dateien, stichprobe: sample.storedFiles.length }
}

const freeBytesIn = async (folder: string) => (await diskSpace(folder))?.free ?? null

/**
 * Opens the newest archive whose contents were backed up too. An archive that has only rows (`nur_liste`) can
 * be restored only where the store has the objects already.
 */
async function openNewestArchive(place: Place, archiveNames: readonly string[]) {
  for (const name of archiveNames) {
    const source = await openArchiveSource({ place, archive: name })
    const manifest = await readManifest(source.archive)
    if (!manifest.nur_liste) return { name, manifest, source: await withKnownSizes(source) }
    await source[Symbol.asyncDispose]()
  }
  throw rehearsalTrouble.noArchive()
}

/**
 * Returns the source with a backup target (`place`) that answers `sizeOf` from one listing, because a request
 * for each content is slow and may cost money.
 */
async function withKnownSizes(source: ArchiveSource): Promise<ArchiveSource> {
  const sizesByHash = await readContentSizes(source.place)
  const sizeOf = async (sha256: string) => sizesByHash.get(sha256) ?? null
  return { ...source, place: { ...source.place, sizeOf } }
}

async function requireContents(place: Place, files: AsyncIterable<ListedFile>): Promise<void> {
  for await (const { name, sha256 } of files)
    if ((await place.sizeOf(sha256)) === null) throw archiveTrouble.contentMissing(name, sha256)
}

/**
 * Opens the restored instance as the service would. Checks the number of rows in each table of the archive,
 * and the contents of the sample.
 */
async function verifyRestoredInstance(
  dataDir: string,
  { tabellen }: Manifest,
  sampledFiles: readonly StoredFile[],
): Promise<void> {
  const database = await openLiveDatabase(dataDir, { now: Date.now })
  const storage = await createDiskStorage({ root: dataDir, newId })
  try {
    for (const [table, expectedCount] of Object.entries(tabellen)) {
      const rowCount = await countRows(database.read.selectFrom(table as KnownTable))
      if (rowCount !== expectedCount)
        throw rehearsalTrouble.rowDiffers(table, Math.min(rowCount, expectedCount) + 1)
    }
    for (const { name, object, sha256 } of sampledFiles) {
      const storedObject = await storage.inspect(object)
      if (!storedObject || (await hashObject(storedObject)) !== sha256)
        throw rehearsalTrouble.contentDiffers(name)
    }
  } finally {
    await storage.close()
    await database.close()
  }
}
