/**
 * Detects a database that lacks committed changes: somebody put an older copy in its place, or a database
 * server returned to an earlier state. Row numbers only grow, so the sum of the last row numbers of all
 * numbered tables, called the position, tells which of two states is older. A high-water mark, the highest
 * position so far, is stored beside the objects. It is written after the commit, so even after a crash it is
 * never ahead of its own database. A mark that is ahead means that changes were lost.
 *
 * An older database keeps assigning row numbers and soon passes the mark, so a detected loss is also recorded
 * in the database. The record is removed by `accept`, or disappears when the database is replaced: by the
 * newer one that somebody puts back, or by a restored or rebuilt one, for which the mark is removed. With
 * SQLite a second check compares the database with its own high-water mark (`database/sqlite/high-water.ts`).
 */
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import type { Log } from '../base/log.ts'
import type { Database } from '../database/database.ts'
import { readLastAssignedNumbers } from '../database/highest-number.ts'
import { longPath } from '../storage/local/platform.ts'
import { BUCKET_STORAGE_MARK, DISK_STORAGE_MARK } from '../storage/names.ts'
import type { Storage } from '../storage/storage.ts'

/** `time` is only for people who read the mark; no program evaluates it. */
const positionMarkSchema = z.object({ position: z.int().nonnegative(), time: z.string() })

interface LostChangesParts {
  database: Pick<Database, 'read' | 'queryTraits' | 'transaction' | 'lostChangesMarker'>
  storage: Pick<Storage, 'isShared' | 'readMark' | 'writeMark'>
  now: () => number
  log: Log
}

export type LostChangesDetector = ReturnType<typeof createLostChangesDetector>

export function createLostChangesDetector({ database, storage, now, log }: LostChangesParts) {
  const markFile = storage.isShared ? BUCKET_STORAGE_MARK : DISK_STORAGE_MARK
  let isLossLogged = false

  /** The position: the sum of the last row numbers of all numbered tables. */
  async function readPosition(db = database.read): Promise<number> {
    const numbers = Object.values(await readLastAssignedNumbers(db, database.queryTraits))
    return numbers.reduce((sum, number) => sum + number, 0)
  }

  /**
   * The stored mark; null if it is absent or malformed, undefined if the storage could not be read. Never
   * rejects.
   */
  async function readMark(): Promise<z.infer<typeof positionMarkSchema> | null | undefined> {
    try {
      const text = await storage.readMark()
      const parsed = positionMarkSchema.safeParse(text === null ? null : parseJson(text))
      if (text !== null && !parsed.success)
        log.warn('the mark beside the objects is unreadable', { mark: markFile })
      return parsed.data ?? null
    } catch (cause) {
      log.warn('the mark beside the objects could not be read', { mark: markFile, cause })
      return undefined
    }
  }

  const setOlderSince = (olderSince: number | null) =>
    database.transaction(tx => tx.updateTable('instance').set({ older_since: olderSince }).execute())

  /**
   * The name of the file that indicates the recorded loss: the marker file of SQLite, or the mark. Null if no
   * loss is recorded.
   */
  async function findRecordedLossFile(): Promise<string | null> {
    const { older_since } = await database.read
      .selectFrom('instance')
      .select('older_since')
      .executeTakeFirstOrThrow()
    return database.lostChangesMarker() ?? (older_since === null ? null : markFile)
  }

  /**
   * Compares the database with the mark, unless a loss is already recorded. The record of a loss is read
   * first, then the mark, then the position, because another process may meanwhile accept the loss, or raise
   * the position and then the mark.
   */
  async function compareWithMark() {
    const recordedLossFile = await findRecordedLossFile()
    const mark = recordedLossFile === null ? await readMark() : null
    const position = await readPosition()
    return {
      recordedLoss: recordedLossFile,
      mark,
      position,
      loss: recordedLossFile ?? (mark && mark.position > position ? markFile : null),
    }
  }

  async function writeMark(): Promise<void> {
    // PostgreSQL flushes the last number of a sequence only when a transaction that changes rows commits, so
    // this transaction updates a row first.
    const position = await database.transaction(async tx => {
      await tx
        .updateTable('instance')
        .set(({ ref }) => ({ older_since: ref('older_since') }))
        .execute()
      return readPosition(tx)
    })
    const mark: z.infer<typeof positionMarkSchema> = { position, time: new Date(now()).toISOString() }
    await storage
      .writeMark(JSON.stringify(mark))
      .catch(cause => log.warn('the mark beside the objects could not be written', { mark: markFile, cause }))
  }

  return {
    knownLoss: findRecordedLossFile,
    /**
     * The name of the file which shows that changes were lost; null if none were. Unlike
     * `findRecordedLossFile`, this also compares the position of the database with the mark.
     */
    find: async () => (await compareWithMark()).loss,
    /**
     * Records a loss, and logs it when this process first notices it. If there is no loss and the mark could
     * be read, raises the mark to the present position. Called at start and stop, and regularly.
     */
    async record(): Promise<void> {
      const { recordedLoss, mark, position, loss } = await compareWithMark()
      if (loss === null) {
        isLossLogged = false
        if (mark !== undefined && position > (mark?.position ?? 0)) await writeMark()
        return
      }
      if (recordedLoss === null) await setOlderSince(now())
      if (!isLossLogged) log.error(LOST_CHANGES_MESSAGE, { note: loss })
      isLossLogged = true
    },
    /**
     * Ends the warning about lost changes, because the operator keeps this database: removes the mark, the
     * record of the loss, and the marker file of SQLite.
     */
    async accept(): Promise<void> {
      const lossFile = database.lostChangesMarker()
      // The mark is removed first: while it exists, a service would detect the loss again.
      await storage.writeMark(null)
      await setOlderSince(null)
      if (lossFile !== null) await rm(longPath(lossFile), { force: true })
    },
  }
}

const LOST_CHANGES_MESSAGE =
  'changes that had been stored are missing in the database: it is an older copy, or its log was removed; fundus doctor says what to do'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
