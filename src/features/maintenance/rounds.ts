/**
 * Rounds of derived files: each call works on some hundred files that lack one, and says how many are left; the client
 * calls again until all is done. A drive is one walk through the library by number, its place kept in the database. So each
 * file has its turn once in a drive, also one that fails again, and two who drive at once share the work.
 */
import { MAINTENANCE_ROUND, type RoundAnswer } from '../../contract/maintenance.ts'
import { MINUTE } from '../../contract/units.ts'
import type { Database } from '../../database/database.ts'
import type { Events } from '../events/events.ts'
import type { Remake } from '../previews/remake.ts'
import { type Drive, endDrive, moveOn, takeUp } from './drive.store.ts'
import { type Look, type Looked, PART_OF, type RoundTask, unseen } from './lacking.ts'

/** A drive that nobody has gone on with for this long is over: the next call begins anew. */
const DRIVE_PAUSE = 10 * MINUTE

/** Files taken at a time. Those of a process that dies are left for the next drive. */
const PORTION = 12
/** A few more than there are decoders, so that none idles while results are written down. */
const CONCURRENCY = 4

/** An answer does not take much longer, so that no proxy gives up on it; pictures can be slow. */
const ROUND_TIME = 20_000
/** Counting what is left ends after this; the rest counts as open. */
const COUNT_TIME = 1_500
/** Files that the queue has in hand are waited for, up to here. */
const PENDING_PATIENCE = 10_000
const PENDING_POLL = 50

export interface RoundsParts {
  database: Database
  look: Look
  remake: Remake
  /** Sees to it that the queue has a pending file in hand. */
  enlist: (nr: number) => void
  publish: Events['publish']
  now: () => number
  roundTime?: number
}

export type Rounds = (task: RoundTask) => Promise<RoundAnswer>

export function createRounds(parts: RoundsParts): Rounds {
  const { database, look, remake, enlist, publish, now, roundTime = ROUND_TIME } = parts

  const within = (milliseconds: number) => {
    const end = performance.now() + milliseconds
    return () => performance.now() < end
  }

  async function countOpen(task: RoundTask, after: number): Promise<number> {
    const {
      files,
      after: reached,
      end,
    } = await look(task, after, {
      files: Number.POSITIVE_INFINITY,
      more: within(COUNT_TIME),
    })
    return files.length + (end ? 0 : await unseen(database, task, reached))
  }

  /** The next files of the drive, which nobody else gets. */
  async function claim(
    drive: Drive,
    task: RoundTask,
    most: number,
  ): Promise<{ drive: Drive; looked: Looked }> {
    for (let current = drive; ; ) {
      const looked = await look(task, current.after_nr, { files: most, more: within(COUNT_TIME) })
      const moved = await database.transaction(tx =>
        moveOn(tx, current, looked.after, looked.files.length, now()),
      )
      if (moved) return { drive: moved, looked }
      current = await database.transaction(tx => takeUp(tx, task, now(), now() - DRIVE_PAUSE))
    }
  }

  async function settled(nr: number): Promise<void> {
    enlist(nr)
    const patient = within(PENDING_PATIENCE)
    for (;;) {
      const row = await database.read
        .selectFrom('media')
        .select('derived')
        .where('nr', '=', nr)
        .executeTakeFirst()
      if (row?.derived !== 'pending' || !patient()) return
      await Bun.sleep(PENDING_POLL)
    }
  }

  async function workOff(task: RoundTask, files: Looked['files'], onDone: () => void): Promise<void> {
    const waiting = files.values()
    const work = async () => {
      for (const { nr, pending } of waiting) {
        if (pending) await settled(nr)
        // Also after the queue gave a file up: its other half may still be made.
        await remake(nr, PART_OF[task])
        onDone()
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  }

  return async function round(task) {
    const inTime = within(roundTime)
    let drive = await database.transaction(tx => takeUp(tx, task, now(), now() - DRIVE_PAUSE))
    const before = drive.done
    const open = await countOpen(task, drive.after_nr)
    let done = 0
    const tell = (fertig: boolean) =>
      publish({
        name: 'fortschritt',
        data: { aufgabe: task, erledigt: before + done, gesamt: before + Math.max(open, done), fertig },
      })
    tell(false)
    let end = false
    // At least one portion, so that each call gets on.
    do {
      const most = Math.min(PORTION, MAINTENANCE_ROUND - done)
      const claimed = await claim(drive, task, most)
      drive = claimed.drive
      end = claimed.looked.end
      await workOff(task, claimed.looked.files, () => {
        done++
      })
      tell(false)
    } while (!end && done < MAINTENANCE_ROUND && inTime())
    // Whether the very last portion was also the last there is shows only by looking further.
    const left = end ? 0 : await leftAfter(task, drive, open - done)
    if (left === 0) await database.transaction(tx => endDrive(tx, task))
    tell(left === 0)
    return { bearbeitet: done, offen: left, fertig: left === 0 }
  }

  async function leftAfter(task: RoundTask, drive: Drive, expected: number): Promise<number> {
    return expected > 0 ? expected : countOpen(task, drive.after_nr)
  }
}
