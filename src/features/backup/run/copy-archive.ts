/** Copies an archive with its contents from one target to another. */
import { type BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import type { ArchiveFile } from '../archive/archive-reader.ts'
import { listedFiles } from '../archive/file-list.ts'
import { readManifest } from '../archive/verify.ts'
import { ContentDiffers, type Place } from '../places/place.ts'
import { type ChecksumTable, createChecksumTable } from '../stock/checksum-table.ts'
import { copyContents } from '../stock/copy-contents.ts'
import { ensureContents, readContentSizes } from '../stock/stock-index.ts'
import type { ProgressMeter } from './meter.ts'

export interface CopyArchiveOptions {
  from: Place
  to: Place
  /** The archive to copy, at `from`. */
  name: string
  /** Sizes of the contents at `from`, in bytes. */
  sourceSizes: ChecksumTable
  /** Checksums of the contents at `to` that are damaged and must be copied again. */
  damagedContents: ReadonlySet<string>
  /** Returns the error to report if bytes that were read or written differ from the expected ones. */
  createMismatchError: (targetName: string) => BackupTrouble
  meter: ProgressMeter
}

/** Copies an archive, and the contents that `to` lacks. Returns the number of bytes copied. */
export async function copyArchive(options: CopyArchiveOptions): Promise<number> {
  const { from, to, name } = options
  try {
    await using archive = await from.openArchive(name)
    return await copyOpenedArchive(options, archive)
  } catch (error) {
    throw error instanceof ContentDiffers ? options.createMismatchError(to.name) : error
  }
}

async function copyOpenedArchive(
  { from, to, name, sourceSizes, damagedContents, meter }: CopyArchiveOptions,
  archive: ArchiveFile,
) {
  const manifest = await readManifest(archive)
  const listFiles = () => listedFiles(archive, manifest)
  const targetSizes = await readContentSizes(to)
  for (const sha256 of damagedContents) targetSizes.delete(sha256)
  const neededBytes = archive.size + (await missingBytes(listFiles(), sourceSizes, targetSizes))
  const freeBytes = await to.freeBytes()
  if (freeBytes !== null && freeBytes < neededBytes)
    throw backupTrouble.secondFull(to.name, neededBytes, freeBytes)
  meter.setExpectedBytes(2 * neededBytes)
  const copiedBytes = await copyContents({
    from,
    to,
    files: listFiles(),
    sourceSizes,
    targetSizes,
    options: meter,
  })
  await to.putArchive(name, archive, meter)
  try {
    await ensureContents(to, listFiles(), ({ sha256 }) =>
      to.put({ sha256, size: sourceSizes.get(sha256)! }, () => from.read(sha256), meter),
    )
  } catch (error) {
    await to.removeArchives([name]).catch(() => {})
    throw error
  }
  return copiedBytes + archive.size
}

async function missingBytes(
  files: AsyncIterable<{ sha256: string }>,
  sourceSizes: ChecksumTable,
  targetSizes: ChecksumTable,
) {
  const countedChecksums = createChecksumTable()
  let bytes = 0
  for await (const { sha256 } of files) {
    const size = sourceSizes.get(sha256)!
    if (targetSizes.get(sha256) === size || countedChecksums.has(sha256)) continue
    countedChecksums.set(sha256, 1)
    bytes += size
  }
  return bytes
}
