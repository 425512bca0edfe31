/**
 * Makes missing derived files in rounds. Each call handles some hundred files and returns how many are left;
 * the client calls again until none is. A pass is one walk through the library by number, with its position
 * in the database. So each file is tried once per pass, even one that fails again, and concurrent clients
 * share the work.
 */
import { MAINTENANCE_ROUND_FILES, type RoundAnswer } from '../../contract/service/maintenance.ts'
import { MINUTE } from '../../contract/values/units.ts'
import type { Events } from '../events/events.ts'
import type { FeatureParts } from '../feature.ts'
import type { Remake } from '../previews/remake.ts'
import { countUnexamined, type FindLacking, type LackingFiles, PARTS_OF, type RoundTask } from './lacking.ts'
import { advance, continueOrStart, endPass, type Pass } from './pass.store.ts'

/** Milliseconds after which a pass that was not continued is over: the next call starts a new one. */
const PASS_PAUSE = 10 * MINUTE

/** Number of files claimed at a time. If a process dies, its claimed files are left for the next pass. */
const PORTION = 12
/** Number of concurrent files: a few more than decoders, so that none idles while results are written. */
const CONCURRENCY = 4

/** Maximum milliseconds of a round, so that no proxy times out; pictures can be slow. */
const ROUND_TIME = 20_000
/** Milliseconds after which counting ends; files that were not reached all count as open. */
const COUNT_TIME = 1_500
/** Milliseconds to wait for a file that the queue is working on. */
const PENDING_PATIENCE = 10_000
const PENDING_POLL = 50

export interface RoundsParts extends Pick<FeatureParts, 'database' | 'now'> {
  findLacking: FindLacking
  remake: Remake
  /** Adds a pending file to the queue, unless the queue has it already. */
  enlist: (nr: number) => void
  publish: Events['publish']
  roundTime?: number
}

export type Rounds = (task: RoundTask) => Promise<RoundAnswer>

export function createRounds(parts: RoundsParts): Rounds {
  const { database, publish, roundTime = ROUND_TIME } = parts

  return async task => {
    const isTimeLeft = timeLimit(roundTime)
    let pass = await continuePass(parts, task)
    const before = pass.done
    const open = await countOpen(parts, task, pass.after_nr)
    let done = 0
    const publishProgress = (fertig: boolean) =>
      publish({
        name: 'fortschritt',
        data: { aufgabe: task, erledigt: before + done, gesamt: before + Math.max(open, done), fertig },
      })
    publishProgress(false)
    let end = false
    // Processes at least one portion, so that each call makes progress.
    do {
      const claimed = await claim(parts, pass, task, Math.min(PORTION, MAINTENANCE_ROUND_FILES - done))
      pass = claimed.pass
      end = claimed.found.end
      await workOff(parts, task, claimed.found.files)
      done += claimed.found.files.length
      publishProgress(false)
    } while (!end && done < MAINTENANCE_ROUND_FILES && isTimeLeft())
    // If all counted files are done, only another search shows whether this portion was the last.
    const left = end ? 0 : open > done ? open - done : await countOpen(parts, task, pass.after_nr)
    if (left === 0) await database.transaction(tx => endPass(tx, task))
    publishProgress(left === 0)
    return { bearbeitet: done, offen: left, fertig: left === 0 }
  }
}

const timeLimit = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  return () => performance.now() < end
}

const continuePass = ({ database, now }: RoundsParts, task: RoundTask): Promise<Pass> =>
  database.transaction(tx => continueOrStart(tx, task, now(), now() - PASS_PAUSE))

async function countOpen(
  { database, findLacking }: RoundsParts,
  task: RoundTask,
  after: number,
): Promise<number> {
  const found = await findLacking(task, after, {
    files: Number.POSITIVE_INFINITY,
    more: timeLimit(COUNT_TIME),
  })
  return found.files.length + (found.end ? 0 : await countUnexamined(database, task, found.after))
}

/** Finds the next files and claims them, so that no other caller gets the same files. */
async function claim(
  parts: RoundsParts,
  pass: Pass,
  task: RoundTask,
  most: number,
): Promise<{ pass: Pass; found: LackingFiles }> {
  const { database, findLacking, now } = parts
  for (let current = pass; ; ) {
    const found = await findLacking(task, current.after_nr, { files: most, more: timeLimit(COUNT_TIME) })
    const moved = await database.transaction(tx =>
      advance(tx, current, found.after, found.files.length, now()),
    )
    if (moved) return { pass: moved, found }
    current = await continuePass(parts, task)
  }
}

async function workOff(parts: RoundsParts, task: RoundTask, files: LackingFiles['files']): Promise<void> {
  const waiting = files.values()
  const work = async () => {
    for (const { nr, pending } of waiting) {
      if (pending) await waitForQueue(parts, nr)
      // Tried even if the queue gave up on the file: the preview may succeed without the variant, and vice
      // versa.
      for (const part of PARTS_OF[task]) await parts.remake(nr, part)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

/** Waits until the queue is done with a file, or until a timeout. */
async function waitForQueue({ database, enlist }: RoundsParts, nr: number): Promise<void> {
  enlist(nr)
  const patient = timeLimit(PENDING_PATIENCE)
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
