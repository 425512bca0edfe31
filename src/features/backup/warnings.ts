/** What is worth saying about the targets of the backup although it works. */
import { onSameDisk } from './disks.ts'
import type { Targets } from './run.ts'

export interface WarningsParts {
  dataDir: string
  sameDisk?: typeof onSameDisk
}

export function createWarnings({ dataDir, sameDisk = onSameDisk }: WarningsParts) {
  return async ({ first, second }: Targets): Promise<string[]> => {
    if (second === null) {
      // Where the archive lies with the files, one broken disk takes both.
      const withData = (await sameDisk(first, dataDir)) === 'same'
      return withData
        ? [
            'Die Sicherung liegt auf derselben Festplatte wie die Dateien, und ein Zweitziel ist nicht eingestellt.',
          ]
        : []
    }
    const sameness = await sameDisk(first, second)
    if (sameness === 'same') return ['Ziel und Zweitziel liegen auf derselben Festplatte.']
    if (sameness === 'unknown')
      return ['Ob Ziel und Zweitziel auf derselben Festplatte liegen, ist unbekannt.']
    return []
  }
}
