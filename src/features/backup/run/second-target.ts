/**
 * Checks whether the second target can be used. Copies an archive with its contents from one target to
 * another.
 */
import { realpath } from 'node:fs/promises'
import { WARNINGS, type WarningCode } from '../../../contract/service/warnings.ts'
import type { Database } from '../../../database/database.ts'
import { type BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import type { ArchiveFile } from '../archive/archive-reader.ts'
import { filesOf } from '../archive/file-list.ts'
import { readManifest } from '../archive/verify.ts'
import { ContentDiffers, type FoundArchive, type Place } from '../places/place.ts'
import type { ListArchives } from '../places/place-inspector.ts'
import type { Targets } from '../places/targets.ts'
import { type ChecksumTable, createChecksumTable } from '../stock/checksum-table.ts'
import { copyContents } from '../stock/copy-contents.ts'
import { confirmContents, readIndex } from '../stock/stock-index.ts'
import { lastSuccessfulReport } from './backup.store.ts'
import type { Meter } from './meter.ts'

/** If a report has one of these warnings, the second target was not known to be on a disk of its own. */
const DISK_WARNINGS = ['targets-on-one-disk', 'target-disks-unknown'] as const

export interface TargetParts {
  database: Pick<Database, 'read'>
  /** The warnings that apply to these targets. */
  warningsFor: (targets: Targets) => Promise<WarningCode[]>
  /**
   * Lists the archives of a target with a time limit. Called before the target is used, because other calls
   * would hang if it is on a network share whose server is gone.
   */
  listArchives: ListArchives
}

/** Returns why the second target cannot be used; null if it seems usable. */
export async function troubleAtSecondTarget(
  parts: TargetParts,
  targets: Targets,
  place: Place,
): Promise<BackupTrouble | null> {
  const { firstFolder, secondFolder } = targets
  const archives = await parts.listArchives(secondFolder!)
  if (archives === null) return backupTrouble.secondSilent(secondFolder!)
  if (await isUnmounted(parts, targets, archives)) return backupTrouble.secondUnmounted(secondFolder!)
  try {
    await place.prepare()
    // Real paths are compared: if one target is a symbolic link to the other, there would be no second copy.
    const isSameFolder = (await realpath(firstFolder)) === (await realpath(secondFolder!))
    return isSameFolder ? backupTrouble.sameFolder(secondFolder!) : null
  } catch (error) {
    return backupTrouble.secondUnusable(secondFolder!, error)
  }
}

/**
 * Whether the second target was on a disk that is no longer mounted: its folder is now on the disk of the
 * first target and lacks the archive of the last successful run that used it.
 */
async function isUnmounted(
  { database, warningsFor }: TargetParts,
  targets: Targets,
  archives: readonly FoundArchive[],
): Promise<boolean> {
  const lastReport = await lastSuccessfulReport(database.read, targets.secondFolder!)
  if (!lastReport || archives.some(({ name }) => name === lastReport.archiv)) return false
  const hadOwnDisk = !DISK_WARNINGS.some(code => lastReport.warnungen.includes(WARNINGS[code]))
  return hadOwnDisk && (await warningsFor(targets)).includes('targets-on-one-disk')
}

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
  meter: Meter
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
  const listFiles = () => filesOf(archive, manifest)
  const targetSizes = await readIndex(to)
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
    await confirmContents(to, listFiles(), ({ sha256 }) =>
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
