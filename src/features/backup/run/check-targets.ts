/** Checks whether the targets of a backup run can be used. */
import { realpath } from 'node:fs/promises'
import { WARNINGS, type WarningCode } from '../../../contract/service/warnings.ts'
import type { Database } from '../../../database/database.ts'
import { type BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { isForeignPath } from '../../../storage/local/foreign-path.ts'
import type { FoundArchive, Place } from '../places/place.ts'
import type { ListArchives } from '../places/place-inspector.ts'
import type { Targets } from '../places/targets.ts'
import { lastSuccessfulReport } from './backup.store.ts'

/**
 * Throws if no first target is set, or if the path of a target belongs to another operating system: a run
 * would create a folder of that name in the working directory.
 */
export function checkTargets({ firstFolder, secondFolder, isFirstUnset }: Targets): void {
  if (isFirstUnset) throw backupTrouble.targetUnset()
  if (isForeignPath(firstFolder)) throw backupTrouble.targetForeign(firstFolder)
  if (secondFolder !== null && isForeignPath(secondFolder)) throw backupTrouble.secondForeign(secondFolder)
}

/** If a report has one of these warnings, the second target was not known to be on a disk of its own. */
const DISK_WARNINGS = ['targets-on-one-disk', 'target-disks-unknown'] as const

export interface TargetCheckParts {
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
  parts: TargetCheckParts,
  targets: Targets,
  place: Place,
): Promise<BackupTrouble | null> {
  const { firstFolder, secondFolder } = targets
  const archives = await parts.listArchives(secondFolder!)
  if (archives === null) return backupTrouble.secondSilent(secondFolder!)
  if (await isDiskUnmounted(parts, targets, archives)) return backupTrouble.secondUnmounted(secondFolder!)
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
async function isDiskUnmounted(
  { database, warningsFor }: TargetCheckParts,
  targets: Targets,
  archives: readonly FoundArchive[],
): Promise<boolean> {
  const lastReport = await lastSuccessfulReport(database.read, targets.secondFolder!)
  if (!lastReport || archives.some(({ name }) => name === lastReport.archiv)) return false
  const hadOwnDisk = !DISK_WARNINGS.some(code => lastReport.warnungen.includes(WARNINGS[code]))
  return hadOwnDisk && (await warningsFor(targets)).includes('targets-on-one-disk')
}
