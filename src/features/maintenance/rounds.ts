/**
 * Makes missing derived files in rounds. Each call works on some hundred files that lack a derived file, and
 * returns how many are left; the client calls again until no file is left. A drive is one walk through the
 * library by number, and its position is kept in the database. So each file has its turn once in a drive,
 * even a file that fails again, and two clients that call at once share the work.
 */
import { MAINTENANCE_ROUND, type RoundAnswer } from '../../contract/service/maintenance.ts'
import { MINUTE } from '../../contract/values/units.ts'
import type { Events } from '../events/events.ts'
import type { FeatureParts } from '../feature.ts'
import type { Remake } from '../previews/remake.ts'
import { type Drive, endDrive, moveOn, takeUp } from './drive.store.ts'
import { type Look, type Looked, PART_OF, type RoundTask, unseen } from './lacking.ts'

/** A drive that no call has continued for this long is over: the next call begins a new one. */
const DRIVE_PAUSE = 10 * MINUTE

/** Files claimed at a time. If a process dies, the files that it had claimed are left for the next drive. */
const PORTION = 12
/**
 * Files worked on at once: a few more than there are decoders, so that no decoder idles while results are
 * written down.
 */
const CONCURRENCY = 4

/**
 * Milliseconds. A round takes not much longer than this, so that no proxy gives up on the answer; pictures
 * can be slow.
 */
const ROUND_TIME = 20_000
/**
 * Milliseconds after which the counting of open files ends; the files that were not reached all count as
 * open.
 */
const COUNT_TIME = 1_500
/** Milliseconds that a round waits at most for a file that the queue has in hand. */
const PENDING_PATIENCE = 10_000
const PENDING_POLL = 50

export interface RoundsParts extends Pick<FeatureParts, 'database' | 'now'> {
  look: Look
  remake: Remake
  /** Makes sure that the queue has a pending file in hand. */
  enlist: (nr: number) => void
  publish: Events['publish']
  roundTime?: number
}

export type Rounds = (task: RoundTask) => Promise<RoundAnswer>

export function createRounds(parts: RoundsParts): Rounds {
  const { database, publish, roundTime = ROUND_TIME } = parts

  return async task => {
    const isTimeLeft = within(roundTime)
    let drive = await continueDrive(parts, task)
    const before = drive.done
    const open = await countOpen(parts, task, drive.after_nr)
    let done = 0
    const publishProgress = (fertig: boolean) =>
      publish({
        name: 'fortschritt',
        data: { aufgabe: task, erledigt: before + done, gesamt: before + Math.max(open, done), fertig },
      })
    publishProgress(false)
    let end = false
    // At least one portion is worked off, so that each call makes progress.
    do {
      const claimed = await claim(parts, drive, task, Math.min(PORTION, MAINTENANCE_ROUND - done))
      drive = claimed.drive
      end = claimed.looked.end
      await workOff(parts, task, claimed.looked.files)
      done += claimed.looked.files.length
      publishProgress(false)
    } while (!end && done < MAINTENANCE_ROUND && isTimeLeft())
    // If all files that were counted are done, only a further look shows whether the portion just done was
    // the last.
    const left = end ? 0 : open > done ? open - done : await countOpen(parts, task, drive.after_nr)
    if (left === 0) await database.transaction(tx => endDrive(tx, task))
    publishProgress(left === 0)
    return { bearbeitet: done, offen: left, fertig: left === 0 }
  }
}

const within = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  return () => performance.now() < end
}

const continueDrive = ({ database, now }: RoundsParts, task: RoundTask): Promise<Drive> =>
  database.transaction(tx => takeUp(tx, task, now(), now() - DRIVE_PAUSE))

async function countOpen({ database, look }: RoundsParts, task: RoundTask, after: number): Promise<number> {
  const looked = await look(task, after, { files: Number.POSITIVE_INFINITY, more: within(COUNT_TIME) })
  return looked.files.length + (looked.end ? 0 : await unseen(database, task, looked.after))
}

/** Claims the next files of the drive; no other caller gets the same files. */
async function claim(
  parts: RoundsParts,
  drive: Drive,
  task: RoundTask,
  most: number,
): Promise<{ drive: Drive; looked: Looked }> {
  const { database, look, now } = parts
  for (let current = drive; ; ) {
    const looked = await look(task, current.after_nr, { files: most, more: within(COUNT_TIME) })
    const moved = await database.transaction(tx =>
      moveOn(tx, current, looked.after, looked.files.length, now()),
    )
    if (moved) return { drive: moved, looked }
    current = await continueDrive(parts, task)
  }
}

async function workOff(parts: RoundsParts, task: RoundTask, files: Looked['files']): Promise<void> {
  const waiting = files.values()
  const work = async () => {
    for (const { nr, pending } of waiting) {
      if (pending) await waitForQueue(parts, nr)
      // This is also done after the queue gave the file up: the preview or the variant may still be made
      // without the other.
      await parts.remake(nr, PART_OF[task])
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

/** Waits until the queue of derived files has done with a file, or the patience is over. */
async function waitForQueue({ database, enlist }: RoundsParts, nr: number): Promise<void> {
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
