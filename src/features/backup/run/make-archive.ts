/** Makes an archive at the first target: stores the contents first, then the archive that names them. */
import { rm } from 'node:fs/promises'
import type { NewId } from '../../../base/ids.ts'
import { isSystemError } from '../../../base/system/error-code.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { longPath } from '../../../storage/local/platform.ts'
import type { Storage } from '../../../storage/storage.ts'
import { archiveName, parseArchiveName } from '../archive/archive-name.ts'
import { openArchive } from '../archive/archive-reader.ts'
import { listedFiles } from '../archive/file-list.ts'
import { listedRows } from '../archive/listed-rows.ts'
import { readManifest, verifyArchive } from '../archive/verify.ts'
import { type WriteArchiveParts, writeArchive } from '../archive/write-archive.ts'
import { type FolderPlace, partFilePath } from '../places/folder-place.ts'
import { ContentDiffers, type Place } from '../places/place.ts'
import type { ChecksumTable } from '../stock/checksum-table.ts'
import { createLibraryCopies } from '../stock/library-copies.ts'
import { ensureContents } from '../stock/stock-index.ts'
import type { ProgressMeter } from './meter.ts'

export interface MakeArchiveParts extends WriteArchiveParts {
  newId: NewId
  storage: Storage
}

export type NewArchive = Awaited<ReturnType<typeof makeArchive>>

export async function makeArchive(
  parts: MakeArchiveParts,
  place: FolderPlace,
  contentSizes: ChecksumTable,
  meter: ProgressMeter,
) {
  const { signal, onBytes } = meter
  const partPath = partFilePath(place.name, parts.newId())
  const createdAt = parts.now()
  const libraryCopies = createLibraryCopies({ storage: parts.storage, place, contentSizes, options: meter })
  const storeContent = meter.onlyRows ? null : libraryCopies.store
  try {
    const writtenArchive = await writeArchive(parts, { file: partPath, signal, onBytes, storeContent })
    meter.beginStep('pruefen')
    await verifyWrittenArchive(partPath, meter)
    await place.flush()
    const { missingFiles, alteredFiles, unusableFiles } = writtenArchive
    const isComplete = missingFiles.count + alteredFiles.count + unusableFiles.count === 0
    const name = await publishArchive(place, partPath, { createdAt, isComplete })
    const sizes = await ensureArchiveContents(place, name, { libraryCopies, contentSizes })
    return {
      ...writtenArchive,
      name,
      isComplete,
      sizes,
      copiedBytes: libraryCopies.copiedBytes + writtenArchive.bytes,
    }
  } catch (error) {
    await rm(longPath(partPath), { force: true }).catch(() => {})
    signal.throwIfAborted()
    if (error instanceof ContentDiffers) throw backupTrouble.unreadable(error)
    throw error instanceof BackupTrouble || !isSystemError(error)
      ? error
      : backupTrouble.targetUnusable(place.name, error)
  }
}

/**
 * Makes sure that the target has all contents that the published archive names, and stores missing ones
 * again. If that fails, removes the archive.
 */
async function ensureArchiveContents(
  place: Place,
  name: string,
  {
    libraryCopies,
    contentSizes,
  }: { libraryCopies: ReturnType<typeof createLibraryCopies>; contentSizes: ChecksumTable },
): Promise<ChecksumTable> {
  try {
    await using archive = await place.openArchive(name)
    const manifest = await readManifest(archive)
    let isComplete = true
    const sizes = await ensureContents(place, listedFiles(archive, manifest), async () => {
      isComplete = false
    })
    if (isComplete) return sizes
    // The rows, which are much longer than the file list, are read only if contents are missing because
    // another run has set them aside or removed them.
    return await ensureContents(place, listedRows(archive, manifest), async ({ sha256, row }) => {
      contentSizes.delete(sha256)
      if ((await libraryCopies.store(row))?.sha256 !== sha256)
        throw backupTrouble.contentsVanished(place.name)
    })
  } catch (error) {
    await place.removeArchives([name]).catch(() => {})
    throw error
  }
}

/** Verifies the archive, before it gets its name, with the same code as a restore. */
async function verifyWrittenArchive(file: string, { signal, onBytes }: ProgressMeter): Promise<void> {
  await using archive = await openArchive(file)
  try {
    await verifyArchive(archive, { signal, onBytes })
  } catch (error) {
    signal.throwIfAborted()
    throw backupTrouble.unreadable(error)
  }
}

async function publishArchive(
  place: FolderPlace,
  partPath: string,
  nameParts: ArchiveNameParts,
): Promise<string> {
  for (;;) {
    const name = await nextArchiveName(place, nameParts)
    if (await place.publish(partPath, name)) return name
  }
}

interface ArchiveNameParts {
  createdAt: number
  isComplete: boolean
}

/**
 * A name that sorts after all other archives of the same second. Gaps that removed archives have left in the
 * sequence are not filled, because the new archive would then look older than it is.
 */
async function nextArchiveName(place: Place, { createdAt, isComplete }: ArchiveNameParts): Promise<string> {
  const wholeSecond = parseArchiveName(archiveName(createdAt, { isComplete }))!.createdAt
  const sameSecondArchives = (await place.archives()).filter(archive => archive.createdAt === wholeSecond)
  return archiveName(createdAt, {
    isComplete,
    sequence: Math.max(-1, ...sameSecondArchives.map(({ sequence }) => sequence)) + 1,
  })
}
