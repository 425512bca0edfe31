/**
 * Restores an archive as an instance. The archive is verified completely before anything of it is restored.
 * The new instance is made beside the current one and replaces it at the end (`database/replacement.ts`).
 */
import { sha256 } from '../../base/hash/sha256.ts'
import type { Manifest } from '../../contract/service/backup-archive.ts'
import { DatabaseInUseError, type InstanceReplacement } from '../../database/replacement.ts'
import { BackupTrouble, restoreRefusal, restoreTrouble } from '../../errors/errors.ts'
import { readManifest } from '../backup/archive/verify.ts'
import {
  type ArchiveAddress,
  type ArchiveSource,
  openArchiveSource,
  verifyArchiveSource,
} from './archive-source.ts'
import { fillInstance, type LoadReport } from './fill-instance.ts'

export interface RestoreParts {
  /**
   * Begins to replace the instance; rejects with `DatabaseInUseError` if another process uses it. `attemptId`
   * identifies the archive, so that a restore that was killed and is started again finds the files that it
   * had stored.
   */
  begin: (attemptId: string) => Promise<InstanceReplacement>
  onProgress: (doneBytes: number, totalBytes: number) => void
}

export interface RestoreResult extends LoadReport {
  manifest: Manifest
  /** Path of the archive that was restored; for a folder, that of the archive chosen in it. */
  file: string
  /** Where the replaced instance is kept: a folder or a schema; null if there was none. */
  previousLocation: string | null
}

/** Verifies an archive and its contents without changing anything. */
export async function checkArchive(
  address: ArchiveAddress,
  onProgress: RestoreParts['onProgress'],
): Promise<Pick<RestoreResult, 'manifest' | 'file'>> {
  await using source = await openArchiveSource(address)
  const manifest = await verifyArchiveSource(source, createByteMeter(source.bytes, onProgress))
  return { manifest, file: source.archivePath }
}

export interface RestoreOptions {
  address: ArchiveAddress
  /** Location of the instance, for messages. */
  location: string
  /** Whether to restore even if there is an instance already. */
  force: boolean
  /** Whether to restore an archive that has only rows even if the store lacks objects of these rows. */
  allowsMissingObjects?: boolean
}

export async function restoreArchive(
  { begin, onProgress }: RestoreParts,
  { address, location, force, allowsMissingObjects = false }: RestoreOptions,
): Promise<RestoreResult> {
  await using source = await openArchiveSource(address)
  const { archivePath: file, bytes } = source
  try {
    const instance = await begin(await attemptIdOf(source))
    try {
      // Checked before the verification, which takes a long time.
      if (!force && (await hasLiveData(instance))) throw restoreRefusal.occupied(location)
      const freeBytes = await instance.freeBytes()
      if (freeBytes !== null && freeBytes < bytes) throw restoreTrouble.full(location, bytes, freeBytes)
      const onBytes = createByteMeter(2 * bytes, onProgress)
      const manifest = await verifyArchiveSource(source, onBytes)
      const report = await instance.load(manifest.schema, newRows =>
        fillInstance(newRows, source, manifest, onBytes),
      )
      if (manifest.nur_liste && report.missing.length > 0 && !allowsMissingObjects)
        throw restoreTrouble.objectsMissing(location, report.missing)
      return { manifest, file, ...report, previousLocation: await instance.swap() }
    } finally {
      await instance.release()
    }
  } catch (error) {
    if (error instanceof DatabaseInUseError)
      throw force || error.holder
        ? restoreRefusal.running(location, error.holder)
        : restoreRefusal.occupied(location)
    if (error instanceof BackupTrouble) throw error
    throw error instanceof Error && 'code' in error ? restoreTrouble.unusable(location, error) : error
  }
}

const ATTEMPT_ID_LENGTH = 16
const attemptIdOf = async ({ archive }: ArchiveSource) =>
  sha256(JSON.stringify(await readManifest(archive))).slice(0, ATTEMPT_ID_LENGTH)

function createByteMeter(totalBytes: number, onProgress: RestoreParts['onProgress']) {
  let doneBytes = 0
  return (count: number) => {
    doneBytes += count
    onProgress(Math.min(doneBytes, totalBytes), totalBytes)
  }
}

/**
 * Whether the live instance has objects or rows that a restore would replace. True as well if its database
 * cannot be read. A database without accounts, tokens and files counts as empty.
 */
export const hasLiveData = async (instance: InstanceReplacement) =>
  (await instance.liveHasObjects()) ||
  (await instance.liveHasRows(['media', 'trash', 'token', 'account'])) !== false
