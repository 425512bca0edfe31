/**
 * Notices a database that lacks changes which had been stored: an older copy was put back, or a server has
 * fallen back to an earlier state. The last numbers of its counting tables only grow, so their sum says how
 * far a database has come. The sum is also kept beside the objects, as the mark of the store. It is written
 * after the numbers were stored: whatever a crash leaves, the mark may lag behind the database but is ahead
 * only of an older one.
 *
 * What was noticed is recorded in the database, because its numbers go on growing and pass the mark. It ends
 * with `accept`, or with another database: the newer one put back by hand, or a restored or rebuilt one, for
 * which the mark is removed before it takes its place. SQLite also notices by itself what its own files tell
 * (`database/sqlite/high-water.ts`).
 */
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import type { Log } from '../base/log.ts'
import type { Database } from '../database/database.ts'
import { lastNumbers } from '../database/highest-number.ts'
import { longPath } from '../storage/local/platform.ts'
import { BUCKET_MARK, DISK_MARK } from '../storage/names.ts'
import type { Storage } from '../storage/storage.ts'

/** `time` is for people who look at the mark. */
const markSchema = z.object({ position: z.int().nonnegative(), time: z.string() })

interface LostChangesParts {
  database: Pick<Database, 'read' | 'queries' | 'transaction' | 'lostChanges'>
  storage: Pick<Storage, 'isShared' | 'readMark' | 'writeMark'>
  now: () => number
  log: Log
}

export type LostChanges = ReturnType<typeof createLostChanges>

export function createLostChanges({ database, storage, now, log }: LostChangesParts) {
  const name = storage.isShared ? BUCKET_MARK : DISK_MARK
  let isLogged = false

  async function position(at = database.read): Promise<number> {
    const numbers = Object.values(await lastNumbers(at, database.queries))
    return numbers.reduce((sum, number) => sum + number, 0)
  }

  /** Null if the mark is absent or malformed; undefined if the storage could not be read. Never rejects. */
  async function readMark(): Promise<z.infer<typeof markSchema> | null | undefined> {
    try {
      const text = await storage.readMark()
      const parsed = markSchema.safeParse(text === null ? null : parsedJson(text))
      if (text !== null && !parsed.success)
        log.warn('the mark beside the objects is unreadable', { mark: name })
      return parsed.data ?? null
    } catch (cause) {
      log.warn('the mark beside the objects could not be read', { mark: name, cause })
      return undefined
    }
  }

  const setOlder = (since: number | null) =>
    database.transaction(tx => tx.updateTable('instance').set({ older_since: since }).execute())

  /** What tells that changes were lost, as far as the database itself knows; null if nothing does. */
  async function noticed(): Promise<string | null> {
    const { older_since } = await database.read
      .selectFrom('instance')
      .select('older_since')
      .executeTakeFirstOrThrow()
    return database.lostChanges() ?? (older_since === null ? null : name)
  }

  /** In this order: another process may accept the loss, or raise numbers and mark, meanwhile. */
  async function compare() {
    const known = await noticed()
    const mark = known === null ? await readMark() : null
    const reached = await position()
    return { known, mark, reached, found: known ?? (mark && mark.position > reached ? name : null) }
  }

  async function writeMark(): Promise<void> {
    // Numbers of a PostgreSQL sequence are not flushed by themselves, but by the next commit of a change.
    const reached = await database.transaction(async tx => {
      await tx
        .updateTable('instance')
        .set(({ ref }) => ({ older_since: ref('older_since') }))
        .execute()
      return position(tx)
    })
    const mark: z.infer<typeof markSchema> = { position: reached, time: new Date(now()).toISOString() }
    await storage
      .writeMark(JSON.stringify(mark))
      .catch(cause => log.warn('the mark beside the objects could not be written', { mark: name, cause }))
  }

  return {
    noticed,
    /** The same as `noticed`, after a comparison with the mark. */
    find: async () => (await compare()).found,
    /** At the start, now and then, and at the end: records and logs a loss, or else renews the mark. */
    async record(): Promise<void> {
      const { known, mark, reached, found } = await compare()
      if (found === null) {
        isLogged = false
        if (mark !== undefined && reached > (mark?.position ?? 0)) await writeMark()
        return
      }
      if (known === null) await setOlder(now())
      if (!isLogged) log.error(LOST, { note: found })
      isLogged = true
    },
    /** The operator goes on with the database as it is. */
    async accept(): Promise<void> {
      const note = database.lostChanges()
      // The mark first: as long as it is there, a service would notice the loss again.
      await storage.writeMark(null)
      await setOlder(null)
      if (note !== null) await rm(longPath(note), { force: true })
    },
  }
}

const LOST =
  'changes that had been stored are missing in the database: it is an older copy, or its log was removed; fundus doctor says what to do'

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
