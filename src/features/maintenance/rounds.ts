/**
 * Makes missing derived files in rounds. Each call works on some hundred files that lack a derived file, and returns
 * how many are left; the client calls again until no file is left. A drive is one walk through the library by number,
 * and its position is kept in the database. So each file has its turn once in a drive, even a file that fails again,
 * and two clients that call at once share the work.
 */
import { MAINTENANCE_ROUND, type RoundAnswer } from '../../contract/maintenance.ts'
import { MINUTE } from '../../contract/units.ts'
import type { Database } from '../../database/database.ts'
import type { Events } from '../events/events.ts'
import type { Remake } from '../previews/remake.ts'
import { type Drive, endDrive, moveOn, takeUp } from './drive.store.ts'
import { type Look, type Looked, PART_OF, type RoundTask, unseen } from './lacking.ts'

/** A drive that no call has continued for this long is over: the next call begins a new one. */
const DRIVE_PAUSE = 10 * MINUTE

/** Files claimed at a time. If a process dies, the files that it had claimed are left for the next drive. */
const PORTION = 12
/**
 * Files worked on at once: a few more than there are decoders, so that no decoder idles while results are written down.
 */
const CONCURRENCY = 4

/**
 * Milliseconds. A round takes not much longer than this, so that no proxy gives up on the answer; pictures can be slow.
 */
const ROUND_TIME = 20_000
/** Milliseconds after which the counting of open files ends; the files that were not reached all count as open. */
const COUNT_TIME = 1_500
/** Milliseconds that a round waits at most for a file that the queue has in hand. */
const PENDING_PATIENCE = 10_000
const PENDING_POLL = 50

export interface RoundsParts {
  database: Database
  look: Look
  remake: Remake
  /** Makes sure that the queue has a pending file in hand. */
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

  /** Claims the next files of the drive; no other caller gets the same files. */
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
        // This is also done after the queue gave the file up: the preview or the variant may still be made without the
        // other.
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
    // At least one portion is worked off, so that each call makes progress.
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
    // Only a further look shows whether the portion just done was the last.
    const left = end ? 0 : await leftAfter(task, drive, open - done)
    if (left === 0) await database.transaction(tx => endDrive(tx, task))
    tell(left === 0)
    return { bearbeitet: done, offen: left, fertig: left === 0 }
  }

  async function leftAfter(task: RoundTask, drive: Drive, expected: number): Promise<number> {
    return expected > 0 ? expected : countOpen(task, drive.after_nr)
  }
}
