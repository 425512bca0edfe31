/** The current backup targets, and the names under which recorded runs refer to them. */
import { join } from 'node:path'
import { DEFAULT_BACKUP_FOLDER } from '../../../adapters/data-folder.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { Settings } from '../../settings/settings.ts'
import { type BucketTarget, bucketFromSettings, bucketName } from '../bucket/bucket-target.ts'
import type { Retention } from './retention.ts'

export interface Targets {
  firstFolder: string
  /** Null if no second target is set. */
  secondFolder: string | null
  /** The third target; null if none is set. */
  bucket: BucketTarget | null
  /**
   * True if the first target is not set and the storage is shared by several machines. Shared storage has no
   * default target, because a machine may be replaced, so backups fail until the target is set.
   */
  isFirstUnset: boolean
  retention: Retention
}

export const foldersOf = ({ firstFolder, secondFolder }: Targets) =>
  secondFolder === null ? [firstFolder] : [firstFolder, secondFolder]

/** All targets, in the order in which a run uses them. */
export const targetNamesOf = (targets: Targets) => [
  ...foldersOf(targets),
  ...(targets.bucket ? [bucketName(targets.bucket)] : []),
]

export type TargetNames = ReturnType<typeof createTargetNames>

export function createTargetNames({
  settings,
  storage,
  dataDir,
}: {
  settings: Settings
  storage: Pick<Storage, 'isShared'>
  dataDir: string
}) {
  const defaultFolder = join(dataDir, DEFAULT_BACKUP_FOLDER)
  /**
   * An empty name means the default folder, so that recorded names stay valid if the data folder is moved.
   */
  const folderOf = (name: string) => (name === '' ? defaultFolder : name)
  return {
    folderOf,
    // With shared storage the default folder is recorded by its full path, because each machine may have
    // another data folder.
    namesOf: (targets: Targets) =>
      targetNamesOf(targets).map(targetName =>
        targetName === defaultFolder && !storage.isShared ? '' : targetName,
      ),
    current(): Targets {
      const values = settings.current()
      const { SICHERUNG_ZIEL, SICHERUNG_ZWEITZIEL } = values
      const { SICHERUNG_BEHALTEN: count, SICHERUNG_WOCHEN: weeks, SICHERUNG_MONATE: months } = values
      return {
        firstFolder: folderOf(SICHERUNG_ZIEL),
        isFirstUnset: SICHERUNG_ZIEL === '' && storage.isShared,
        secondFolder: SICHERUNG_ZWEITZIEL === '' ? null : SICHERUNG_ZWEITZIEL,
        bucket: bucketFromSettings(values),
        retention: { count, weeks, months },
      }
    },
  }
}
