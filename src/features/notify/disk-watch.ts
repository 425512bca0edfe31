/** Sends a message when the disk fills up: at 90 %, at 95 %, and when there is room again. */
import { readFile, writeFile } from 'node:fs/promises'
import { DISK_LEVELS, diskText } from '../../contract/service/notify.ts'
import type { Queries } from '../../database/database.ts'
import { type DiskSpace, usedPercent } from '../../storage/local/space.ts'
import type { FeatureParts } from '../feature.ts'
import { reportedLevel, setReportedLevel } from './notify.store.ts'
import { isWanted, queueMessage } from './notify.ts'

interface DiskWatchParts extends Pick<FeatureParts, 'database' | 'coordination' | 'now' | 'settings'> {
  space: () => Promise<DiskSpace | null>
  /**
   * Set if each machine has a disk of its own: the name of the machine, and the file that keeps the level.
   */
  own?: { machine: string; file: string }
}

/** The level of the last message about the disk. */
interface LevelStore {
  get(db: Queries): Promise<number>
  /** Called last in the transaction that queues the message. */
  set(tx: Queries, level: number): Promise<void>
}

const IN_DATABASE: LevelStore = { get: reportedLevel, set: setReportedLevel }

/** Keeps the level in a file on the watched disk, and in memory while that disk is too full to be written. */
function inFile(file: string): LevelStore {
  let unwritten: number | undefined
  return {
    get: async () => unwritten ?? (Number(await readFile(file, 'utf8').catch(() => '0')) || 0),
    async set(_, level) {
      unwritten = level
      await writeFile(file, String(level)).then(
        () => {
          unwritten = undefined
        },
        () => {},
      )
    },
  }
}

/**
 * The current level of the disk; 0: none. `reported`: the stored level. A level ends at a lower percentage
 * (`until`) than it begins (`from`), so that a disk at the edge does not cause a message every day.
 */
export function diskLevel(percent: number, reported: number): number {
  return DISK_LEVELS.find(({ from, until }) => percent >= (reported >= from ? until : from))?.from ?? 0
}

export function createDiskWatch(parts: DiskWatchParts): () => Promise<void> {
  const { database, settings, coordination, space, now, own } = parts
  const levelStore = own ? inFile(own.file) : IN_DATABASE

  async function report(percent: number): Promise<void> {
    await database.transaction(async tx => {
      const reported = await levelStore.get(tx)
      const level = diskLevel(percent, reported)
      if (level === reported) return
      // A change from 95 to 90 is no reason for a message: the disk is still nearly full.
      if (level > reported || level === 0)
        await queueMessage(tx, settings, 'platte', diskText(level, percent, own?.machine), now())
      await levelStore.set(tx, level)
    })
  }

  return async () => {
    // While nobody wants messages about the disk, the stored level is not changed, so that the message is
    // sent as soon as somebody wants them.
    if (!isWanted(settings, 'platte')) return
    const room = await space()
    if (!room) return
    const percent = usedPercent(room)
    const reported = await levelStore.get(database.read)
    if (diskLevel(percent, reported) === reported) return
    await coordination.exclusively('disk-watch', () => report(percent))
  }
}
