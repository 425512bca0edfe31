/**
 * Opens the archive to restore: the one with a given path or name, or else an archive chosen in a folder or
 * at a backup target (`chooseArchiveName`). The contents of its files are in the archive itself or in the
 * content store (the “stock”) beside the archives, or were not backed up.
 */
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { streamBatches } from '../../base/batches.ts'
import { newId } from '../../base/ids.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { type Manifest, WHOLE_ARCHIVE_FORMAT } from '../../contract/service/backup-archive.ts'
import { MIGRATION_NAMES } from '../../database/migrate.ts'
import { archiveTrouble, restoreRefusal } from '../../errors/errors.ts'
import { longPath } from '../../storage/local/platform.ts'
import { type ArchiveFile, openArchive } from '../backup/archive/archive-reader.ts'
import { filesInList, findFileList, type ListedFile } from '../backup/archive/file-list.ts'
import { readManifest, verifyArchive } from '../backup/archive/verify.ts'
import { createFolderPlace } from '../backup/places/folder-place.ts'
import { STOCK_FOLDER } from '../backup/places/layout.ts'
import { type FoundArchive, isBatchFull, type Place } from '../backup/places/place.ts'
import { digestOf } from '../backup/places/write-and-compare.ts'
import { createChecksumTable } from '../backup/stock/checksum-table.ts'

export interface ArchiveSource extends AsyncDisposable {
  archive: ArchiveFile
  /**
   * The backup target whose content store has the contents of the files, unless the archive contains them
   * itself or has only rows.
   */
  place: Place
  /** Path of the archive, for messages. */
  archivePath: string
  /** Total size in bytes of the archive and of the contents in the content store that it names. */
  bytes: number
}

/**
 * The path of an archive or of a folder with archives, or an archive at a backup target. For a folder, and
 * for a target without the name of an `archive`, `chooseArchiveName` chooses the archive.
 */
export type ArchiveAddress = string | { place: Place; archive: string | undefined }

export async function openArchiveSource(address: ArchiveAddress): Promise<ArchiveSource> {
  if (typeof address !== 'string') return openArchiveAtPlace(address.place, address.archive)
  const path = address
  const file = (await isFolder(path)) ? await chooseArchivePath(path) : path
  const archive = await openArchive(file)
  const place = createFolderPlace(dirname(file), newId)
  try {
    const manifest = await readManifest(archive)
    const { bytes } = manifest
    const needsNoStock = isIndependentOfStock(manifest)
    if (!needsNoStock && bytes > 0 && !(await isFolder(join(place.name, STOCK_FOLDER))))
      throw restoreRefusal.stockAbsent(basename(file), place.name)
    const dispose = () => archive[Symbol.asyncDispose]()
    return {
      archive,
      place,
      archivePath: file,
      bytes: archive.size + (needsNoStock ? 0 : bytes),
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await archive[Symbol.asyncDispose]()
    throw error
  }
}

async function openArchiveAtPlace(place: Place, archiveName: string | undefined): Promise<ArchiveSource> {
  const name = archiveName ?? chooseArchiveName(await place.archives(), place.name)
  const archive = await place.openArchive(name)
  try {
    const manifest = await readManifest(archive)
    return {
      archive,
      place,
      archivePath: `${place.name}${name}`,
      bytes: archive.size + (isIndependentOfStock(manifest) ? 0 : manifest.bytes),
      [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
    }
  } catch (error) {
    await archive[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Whether nothing is read from the content store: the archive contains the contents itself, or consists only
 * of rows.
 */
const isIndependentOfStock = ({ format, nur_liste }: Manifest) =>
  format === WHOLE_ARCHIVE_FORMAT || nur_liste === true

const isFolder = (path: string) =>
  stat(longPath(path)).then(
    stats => stats.isDirectory(),
    () => false,
  )

async function chooseArchivePath(folder: string): Promise<string> {
  return join(folder, chooseArchiveName(await createFolderPlace(folder, newId).archives(), folder))
}

/**
 * Returns the newest complete archive; if none is complete, the newest. An older complete archive is better
 * than a newer one that lacks files.
 */
function chooseArchiveName(archives: readonly FoundArchive[], place: string): string {
  const chosenArchive = archives.find(({ isComplete }) => isComplete) ?? archives[0]
  if (!chosenArchive) throw restoreRefusal.noArchive(place)
  return chosenArchive.name
}

/**
 * Verifies the archive. If it has a file list, also verifies the listed contents in the content store, with
 * `checkContents`. Returns the manifest of the archive. Changes nothing.
 */
export async function verifyArchiveSource(
  { archive, place }: ArchiveSource,
  onBytes: (count: number) => void,
  checkContents = verifyContents,
): Promise<Manifest> {
  const manifest = await verifyArchive(archive, { onBytes })
  const unknownMigrations = manifest.schema.filter(name => !MIGRATION_NAMES.includes(name))
  if (unknownMigrations.length > 0) throw archiveTrouble.schemaNewer(unknownMigrations)
  const fileList = await findFileList(archive, manifest)
  if (fileList)
    await checkContents(place, filesInList(archive, fileList), onBytes).catch(error => {
      throw isAccessDenied(error) ? restoreRefusal.stockUnreadable(place.name, error) : error
    })
  return manifest
}

/**
 * Whether access was denied. That can happen if root has opened the archive, because the process then
 * continues as the owner of the data folder (`becomeOwnerOf`).
 */
const isAccessDenied = (error: unknown) => ['EACCES', 'EPERM'].includes(errorCode(error))

async function verifyContents(
  place: Place,
  files: AsyncIterable<ListedFile>,
  onBytes: (count: number) => void,
): Promise<void> {
  for await (const batch of streamBatches(distinctContents(place, files), isBatchFull))
    await Promise.all(
      batch.map(async ({ sha256, name }) => {
        const digest = await digestOf(place.read(sha256), { onBytes }).catch(error => {
          if (isAccessDenied(error)) throw error
        })
        if (digest?.sha256 !== sha256) throw archiveTrouble.contentBroken(name, sha256)
      }),
    )
}

async function* distinctContents(place: Place, files: AsyncIterable<ListedFile>) {
  const seenHashes = createChecksumTable()
  for await (const file of files) {
    if (seenHashes.has(file.sha256)) continue
    seenHashes.set(file.sha256, 1)
    const size = await place.sizeOf(file.sha256)
    if (size === null) throw archiveTrouble.contentMissing(file.name, file.sha256)
    yield { ...file, size }
  }
}
