/** Replaces damaged contents and archives of a target with copies from another target. */
import { isSystemError } from '../../../base/system/error-code.ts'
import type { WarningCode } from '../../../contract/service/warnings.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { readAndVerifyFileList } from '../archive/file-list.ts'
import { verifyArchive } from '../archive/verify.ts'
import { ContentDiffers, type Place } from '../places/place.ts'
import type { PruneResult } from '../stock/prune.ts'
import { isContentIntact, type RereadResult, recordDamagedContents } from '../stock/rereading.ts'
import type { ProgressMeter } from './meter.ts'

/** A target that has received the archive of this run. */
export interface UsedPlace {
  place: Place
  rereadResult: RereadResult
  /** Bytes that this run has copied to the target. */
  copiedBytes: number
  pruneResult: PruneResult
}

/** Repairs each target. Returns the damage that could not be repaired, and the warnings for the report. */
export async function repairTargets(usedPlaces: readonly UsedPlace[], now: number, meter: ProgressMeter) {
  const troubles: BackupTrouble[] = []
  const warnings = new Set<WarningCode>()
  for (const { place, rereadResult, pruneResult } of usedPlaces) {
    if (pruneResult.unreadableArchive !== null) warnings.add('stock-not-thinned')
    const { damagedContents, damagedArchives } = rereadResult
    if (damagedContents.size + damagedArchives.length === 0) continue
    const otherPlaces = usedPlaces
      .map(usedPlace => usedPlace.place)
      .filter(otherPlace => otherPlace !== place)
    const unrepairedChecksums = new Set<string>()
    for (const sha256 of damagedContents) {
      // A content needs no copy if no archive names it any more, or if this run has stored it again. An
      // archive that cannot be read may name any content.
      const mayBeNamed = pruneResult.unreadableArchive !== null || pruneResult.namedChecksums.has(sha256)
      const needsCopy = mayBeNamed && !(await isContentIntact(place, sha256, meter))
      if (
        needsCopy &&
        !(await copyFromAny(otherPlaces, otherPlace => copyContent(otherPlace, place, sha256, meter)))
      )
        unrepairedChecksums.add(sha256)
    }
    await recordDamagedContents(place, unrepairedChecksums, now)
    if (unrepairedChecksums.size > 0)
      troubles.push(backupTrouble.contentsDamaged(place.name, await fileNamesOf(place, unrepairedChecksums)))
    const unrepairedArchives: string[] = []
    for (const name of damagedArchives)
      if (!(await copyFromAny(otherPlaces, otherPlace => copyArchive(otherPlace, place, name, meter))))
        unrepairedArchives.push(name)
    if (unrepairedArchives.length > 0)
      troubles.push(backupTrouble.archivesDamaged(place.name, unrepairedArchives))
    if (damagedContents.size + damagedArchives.length > unrepairedChecksums.size + unrepairedArchives.length)
      warnings.add('stock-repaired')
  }
  return { troubles, warnings: [...warnings] }
}

async function copyFromAny(
  otherPlaces: readonly Place[],
  copy: (otherPlace: Place) => Promise<void>,
): Promise<boolean> {
  for (const otherPlace of otherPlaces) {
    try {
      await copy(otherPlace)
      return true
    } catch (error) {
      // The copy at this target is damaged or absent as well, or cannot be read, so the next target is tried.
      if (!(error instanceof ContentDiffers || error instanceof BackupTrouble || isSystemError(error)))
        throw error
    }
  }
  return false
}

async function copyContent(from: Place, to: Place, sha256: string, meter: ProgressMeter): Promise<void> {
  const size = (await from.sizeOf(sha256)) ?? 0
  await to.put({ sha256, size }, () => from.read(sha256), meter)
  await to.flush()
}

async function copyArchive(from: Place, to: Place, name: string, meter: ProgressMeter): Promise<void> {
  await using archive = await from.openArchive(name)
  await verifyArchive(archive, meter)
  await to.putArchive(name, archive, meter)
}

/**
 * For each of these contents, the name of a file that has it, or its checksum if no readable archive names
 * it.
 */
async function fileNamesOf(place: Place, checksums: ReadonlySet<string>): Promise<string[]> {
  const namesByChecksum = new Map([...checksums].map(sha256 => [sha256, sha256]))
  for (const { name } of await place.archives())
    try {
      await using archive = await place.openArchive(name)
      for await (const file of readAndVerifyFileList(archive))
        if (checksums.has(file.sha256)) namesByChecksum.set(file.sha256, file.name)
    } catch (error) {
      // The archive is damaged, or another run has removed it meanwhile.
      if (!(error instanceof BackupTrouble)) throw error
    }
  return [...namesByChecksum.values()]
}
