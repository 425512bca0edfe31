/** What is worth saying about the targets of the backup although it works. */
import type { WarningCode } from '../../contract/warnings.ts'
import { isForeignPath } from '../../storage/platform.ts'
import { onSameDisk } from './disks.ts'
import type { Targets } from './run.ts'

export interface WarningsParts {
  dataDir: string
  sameDisk?: typeof onSameDisk
}

export function createWarnings({ dataDir, sameDisk = onSameDisk }: WarningsParts) {
  return async ({ first, second }: Targets): Promise<WarningCode[]> => {
    const foreign: WarningCode[] = []
    if (isForeignPath(first)) foreign.push('target-foreign')
    if (second !== null && isForeignPath(second)) foreign.push('second-target-foreign')
    // A path that cannot be lies on no disk.
    if (foreign.length > 0) return foreign
    if (second === null) {
      // Where the archive lies with the files, one broken disk takes both.
      return (await sameDisk(first, dataDir)) === 'same' ? ['backup-beside-files'] : []
    }
    const sameness = await sameDisk(first, second)
    if (sameness === 'same') return ['targets-on-one-disk']
    return sameness === 'unknown' ? ['target-disks-unknown'] : []
  }
}
