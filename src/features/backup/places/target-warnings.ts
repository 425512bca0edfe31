/** Warnings about the backup targets, for the state of the backup and the reports of its runs. */
import type { BackupState } from '../../../contract/service/backup.ts'
import { WARNINGS, type WarningCode } from '../../../contract/service/warnings.ts'
import { isForeignPath } from '../../../storage/local/foreign-path.ts'
import type { FoundArchive } from './place.ts'
import { compareFolderDisks } from './same-disk.ts'
import type { Targets } from './targets.ts'

export interface TargetWarningsParts {
  dataDir: string
  compareDisks?: typeof compareFolderDisks
}

export function createTargetWarnings({ dataDir, compareDisks = compareFolderDisks }: TargetWarningsParts) {
  return async ({ firstFolder, secondFolder, bucket, isFirstUnset }: Targets): Promise<WarningCode[]> => {
    if (isFirstUnset) return ['target-unset']
    const foreignWarnings: WarningCode[] = []
    if (isForeignPath(firstFolder)) foreignWarnings.push('target-foreign')
    if (secondFolder !== null && isForeignPath(secondFolder)) foreignWarnings.push('second-target-foreign')
    // The disks are not compared, because a path of another operating system is on no disk of this machine.
    if (foreignWarnings.length > 0) return foreignWarnings
    if (secondFolder === null) {
      // Without a second target, a broken disk may destroy files and archives, unless a bucket has copies.
      if (bucket) return []
      return (await compareDisks(firstFolder, dataDir)) === 'same' ? ['backup-beside-files'] : []
    }
    const comparison = await compareDisks(firstFolder, secondFolder)
    if (comparison === 'same') return ['targets-on-one-disk']
    return comparison === 'unknown' ? ['target-disks-unknown'] : []
  }
}

/**
 * The warnings about the targets and `otherWarnings`, as sentences and codes. A target that did not answer
 * (null in `listings`) is not accessed again, so the disks are not compared.
 */
export async function warningFields(
  listings: readonly (FoundArchive[] | null)[],
  { warningsFor }: { warningsFor: ReturnType<typeof createTargetWarnings> },
  targets: Targets,
  otherWarnings: readonly WarningCode[] = [],
): Promise<Pick<BackupState, 'warnungen' | 'warnungen_codes'>> {
  const targetWarnings = listings.includes(null)
    ? (['target-disks-unknown'] as const)
    : await warningsFor(targets)
  const codes = [...targetWarnings, ...otherWarnings]
  return { warnungen: codes.map(code => WARNINGS[code]), warnungen_codes: codes }
}
