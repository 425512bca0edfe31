/** Warnings about the targets of the backup: they apply although the backup works. */
import type { WarningCode } from '../../contract/warnings.ts'
import { isForeignPath } from '../../storage/platform.ts'
import { onSameDisk } from './disks.ts'
import type { Targets } from './targets.ts'

export interface WarningsParts {
  dataDir: string
  sameDisk?: typeof onSameDisk
}

export function createWarnings({ dataDir, sameDisk = onSameDisk }: WarningsParts) {
  return async ({ first, second, unset }: Targets): Promise<WarningCode[]> => {
    if (unset) return ['target-unset']
    const foreign: WarningCode[] = []
    if (isForeignPath(first)) foreign.push('target-foreign')
    if (second !== null && isForeignPath(second)) foreign.push('second-target-foreign')
    // A foreign path lies on no disk of this host, so the disks are not compared.
    if (foreign.length > 0) return foreign
    if (second === null) {
      // If the archives lie on the same disk as the files, one broken disk destroys both.
      return (await sameDisk(first, dataDir)) === 'same' ? ['backup-beside-files'] : []
    }
    const sameness = await sameDisk(first, second)
    if (sameness === 'same') return ['targets-on-one-disk']
    return sameness === 'unknown' ? ['target-disks-unknown'] : []
  }
}
