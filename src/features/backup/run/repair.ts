/** Replaces damaged contents and archives of a target by copies from another target. */
import { isSystemError } from '../../../base/error-code.ts'
import type { WarningCode } from '../../../contract/service/warnings.ts'
import { BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { filesNamedBy } from '../archive/file-list.ts'
import { verifyArchive } from '../archive/verify.ts'
import { ContentDiffers, type Place } from '../places/place.ts'
import type { PrunedPlace } from '../stock/prune.ts'
import { isIntact, noteDamaged, type RereadResult } from '../stock/rereading.ts'
import type { Meter } from './meter.ts'

/** A target that has received the archive of this run. */
export interface UsedPlace {
  place: Place
  reread: RereadResult
  /** Bytes written by this run. */
  copied: number
  pruned: PrunedPlace
}

export async function repairAll(used: readonly UsedPlace[], now: number, meter: Meter) {
  const troubles: BackupTrouble[] = []
  const warnings = new Set<WarningCode>()
  for (const { place, reread, pruned } of used) {
    if (pruned.unreadable !== null) warnings.add('stock-not-thinned')
    const { damaged, archives } = reread
    if (damaged.size + archives.length === 0) continue
    const others = used.map(each => each.place).filter(other => other !== place)
    const lost = new Set<string>()
    for (const sha256 of damaged) {
      // Nothing has to be copied if this run has stored the content again from the library, or if no archive
      // names it any more.
      const isRepaired = !pruned.named.has(sha256) || (await isIntact(place, sha256, meter))
      if (!isRepaired && !(await copyFromAny(others, other => copyContent(other, place, sha256, meter))))
        lost.add(sha256)
    }
    await noteDamaged(place, lost, now)
    if (lost.size > 0) troubles.push(backupTrouble.contentsDamaged(place.name, await pathsOf(place, lost)))
    const lostArchives: string[] = []
    for (const name of archives)
      if (!(await copyFromAny(others, other => copyArchive(other, place, name, meter))))
        lostArchives.push(name)
    if (lostArchives.length > 0) troubles.push(backupTrouble.archivesDamaged(place.name, lostArchives))
    if (damaged.size + archives.length > lost.size + lostArchives.length) warnings.add('stock-repaired')
  }
  return { troubles, warnings: [...warnings] }
}

async function copyFromAny(
  others: readonly Place[],
  copy: (other: Place) => Promise<void>,
): Promise<boolean> {
  for (const other of others) {
    try {
      await copy(other)
      return true
    } catch (error) {
      // The copy at this target is damaged or absent as well, or cannot be read, so the next target is tried.
      if (!(error instanceof ContentDiffers || error instanceof BackupTrouble || isSystemError(error)))
        throw error
    }
  }
  return false
}

async function copyContent(from: Place, to: Place, sha256: string, meter: Meter): Promise<void> {
  const size = (await from.sizeOf(sha256)) ?? 0
  await to.put({ sha256, size }, () => from.read(sha256), meter)
  await to.flush()
}

async function copyArchive(from: Place, to: Place, name: string, meter: Meter): Promise<void> {
  await using archive = await from.openArchive(name)
  await verifyArchive(archive, meter)
  await to.putArchive(name, archive, meter)
}

/** For each of these contents that an archive names, the name of one of its files. */
async function pathsOf(place: Place, sums: ReadonlySet<string>): Promise<string[]> {
  const paths = new Map<string, string>()
  for (const { name } of await place.archives()) {
    await using archive = await place.openArchive(name)
    for await (const file of filesNamedBy(archive))
      if (sums.has(file.sha256)) paths.set(file.sha256, file.name)
  }
  return [...paths.values()]
}
