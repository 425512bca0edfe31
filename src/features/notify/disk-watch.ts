/** Sends a message when the disk fills up: at 90 %, at 95 %, and when it has free space again. */
import { readFile, writeFile } from 'node:fs/promises'
import { DISK_LEVELS, diskMessage } from '../../contract/service/disk-message.ts'
import type { Queries } from '../../database/database.ts'
import { type DiskSpace, usedPercent } from '../../storage/local/space.ts'
import type { FeatureParts } from '../feature.ts'
import { readReportedLevel, setReportedLevel } from './notify.store.ts'
import { isOccasionEnabled, queueMessage } from './notify.ts'

interface DiskWatchParts extends Pick<FeatureParts, 'database' | 'coordination' | 'now' | 'settings'> {
  space: () => Promise<DiskSpace | null>
  /**
   * Set if each machine has a disk of its own: the name of this machine, and the file that stores the last
   * reported level of the disk.
   */
  ownDisk?: { machine: string; file: string }
}

/**
 * Stores the last reported level of the disk (a `startPercent` of `DISK_LEVELS`); 0 if there is none. A fall
 * from 95 to 90 is stored too, although no message reports it.
 */
interface DiskLevelStore {
  get(db: Queries): Promise<number>
  /** Called last in the transaction that queues the message, because a write to a file is not rolled back. */
  set(tx: Queries, level: number): Promise<void>
}

const DATABASE_LEVEL_STORE: DiskLevelStore = { get: readReportedLevel, set: setReportedLevel }

/**
 * Stores the level in a file on the watched disk. Keeps it in memory while the file cannot be written, for
 * example because the disk is full.
 */
function createFileLevelStore(levelFile: string): DiskLevelStore {
  let unwrittenLevel: number | undefined
  return {
    get: async () => unwrittenLevel ?? (Number(await readFile(levelFile, 'utf8').catch(() => '0')) || 0),
    async set(_, level) {
      unwrittenLevel = level
      await writeFile(levelFile, String(level)).then(
        () => {
          unwrittenLevel = undefined
        },
        () => {},
      )
    },
  }
}

/**
 * The current level of the disk in percent; 0 if its usage is below every level. `reportedLevel` is the level
 * that was reported last. A level ends at a lower percentage (`endPercent`) than it begins (`startPercent`).
 * So a disk whose usage varies around a limit does not cause one message after another.
 */
export function diskLevel(percent: number, reportedLevel: number): number {
  return (
    DISK_LEVELS.find(
      ({ startPercent, endPercent }) =>
        percent >= (reportedLevel >= startPercent ? endPercent : startPercent),
    )?.startPercent ?? 0
  )
}

export function createDiskWatch(parts: DiskWatchParts): () => Promise<void> {
  const { database, settings, coordination, space, now, ownDisk } = parts
  const levelStore = ownDisk ? createFileLevelStore(ownDisk.file) : DATABASE_LEVEL_STORE

  async function report(percent: number): Promise<void> {
    await database.transaction(async tx => {
      const reportedLevel = await levelStore.get(tx)
      const level = diskLevel(percent, reportedLevel)
      if (level === reportedLevel) return
      // No message when the level falls from 95 to 90: the disk is still nearly full.
      if (level > reportedLevel || level === 0)
        await queueMessage(tx, settings, 'platte', diskMessage(level, percent, ownDisk?.machine), now())
      await levelStore.set(tx, level)
    })
  }

  return async () => {
    // While messages about the disk are switched off, the stored level is not changed, so that a new level is
    // reported as soon as they are switched on.
    if (!isOccasionEnabled(settings, 'platte')) return
    const diskSpace = await space()
    if (!diskSpace) return
    const percent = usedPercent(diskSpace)
    const reportedLevel = await levelStore.get(database.read)
    if (diskLevel(percent, reportedLevel) === reportedLevel) return
    await coordination.exclusively('disk-watch', () => report(percent))
  }
}
