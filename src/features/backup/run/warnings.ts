/** Warnings about the backup targets, which apply although the backup works. */
import type { BackupState } from '../../../contract/service/backup.ts'
import { WARNINGS, type WarningCode } from '../../../contract/service/warnings.ts'
import { isForeignPath } from '../../../storage/local/platform.ts'
import { onSameDisk } from '../places/disks.ts'
import type { FoundArchive } from '../places/place.ts'
import type { Targets } from '../places/targets.ts'

export interface WarningsParts {
  dataDir: string
  sameDisk?: typeof onSameDisk
}

export function createWarnings({ dataDir, sameDisk = onSameDisk }: WarningsParts) {
  return async ({ first, second, bucket, unset }: Targets): Promise<WarningCode[]> => {
    if (unset) return ['target-unset']
    const foreign: WarningCode[] = []
    if (isForeignPath(first)) foreign.push('target-foreign')
    if (second !== null && isForeignPath(second)) foreign.push('second-target-foreign')
    // A foreign path is on no disk of this machine.
    if (foreign.length > 0) return foreign
    if (second === null) {
      // One broken disk would destroy archives and files, unless the bucket has copies.
      if (bucket) return []
      return (await sameDisk(first, dataDir)) === 'same' ? ['backup-beside-files'] : []
    }
    const sameness = await sameDisk(first, second)
    if (sameness === 'same') return ['targets-on-one-disk']
    return sameness === 'unknown' ? ['target-disks-unknown'] : []
  }
}

/**
 * The warnings about the targets and `more`, as sentences and codes. If a target did not answer (null in
 * `found`), it is not accessed again, so the disks are not compared.
 */
export async function warningsAfter(
  found: readonly (FoundArchive[] | null)[],
  { warningsFor }: { warningsFor: ReturnType<typeof createWarnings> },
  targets: Targets,
  more: readonly WarningCode[] = [],
): Promise<Pick<BackupState, 'warnungen' | 'warnungen_codes'>> {
  const disks = found.includes(null) ? (['target-disks-unknown'] as const) : await warningsFor(targets)
  const codes = [...disks, ...more]
  return { warnungen: codes.map(code => WARNINGS[code]), warnungen_codes: codes }
}
