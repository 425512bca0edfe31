/**
 * Makes missing derived files in rounds. Each call handles a few hundred files and returns how many are left;
 * the client calls again until none are left. A pass is one walk through the library in the order of the row
 * numbers, with its position in the database. So each file is tried once per pass, even one that fails again,
 * and concurrent clients share the work.
 */
import { MAINTENANCE_ROUND_FILES, type RoundAnswer } from '../../contract/service/maintenance.ts'
import { MINUTE } from '../../contract/values/units.ts'
import type { Events } from '../events/events.ts'
import type { FeatureParts } from '../feature.ts'
import type { RemakePart } from '../previews/remake.ts'
import {
  countUnexamined,
  type FindLackingFiles,
  type LackingFiles,
  PARTS_BY_TASK,
  type RoundTask,
} from './lacking.ts'
import { advancePass, continueOrStartPass, endPass, type Pass } from './pass.store.ts'

/** Milliseconds after its last call at which a pass expires; the next call starts a new one. */
const PASS_EXPIRY = 10 * MINUTE

/** Number of files claimed at a time. If a process dies, its claimed files are left for the next pass. */
const CLAIM_FILES = 12
/**
 * Number of files that one call processes concurrently: more than the process has decoders, so that no
 * decoder is idle while results are written.
 */
const CONCURRENT_FILES = 4

/**
 * Milliseconds after which a round claims no more files. With slow pictures, a longer round could exceed the
 * timeout of a proxy.
 */
const ROUND_TIME = 20_000
/** Milliseconds after which a search for files ends. Files that a count did not reach are counted as open. */
const SEARCH_TIME = 1_500
/** Milliseconds to wait for a file that the preview queue is working on. */
const QUEUE_TIMEOUT = 10_000
const QUEUE_POLL_INTERVAL = 50

export interface RoundsParts extends Pick<FeatureParts, 'database' | 'now'> {
  findLackingFiles: FindLackingFiles
  remake: RemakePart
  /** Adds a pending file to the preview queue, unless it is in the queue already. */
  enlist: (nr: number) => void
  publish: Events['publish']
  roundTime?: number
}

export type RunRound = (task: RoundTask) => Promise<RoundAnswer>

export function createRunRound(parts: RoundsParts): RunRound {
  const { database, publish, roundTime = ROUND_TIME } = parts

  return async task => {
    const isTimeLeft = timeLimit(roundTime)
    let pass = await continuePass(parts, task)
    const doneBefore = pass.done
    const openCount = await countOpen(parts, task, pass.after_nr)
    let doneCount = 0
    const publishProgress = (fertig: boolean) =>
      publish({
        name: 'fortschritt',
        data: {
          aufgabe: task,
          erledigt: doneBefore + doneCount,
          gesamt: doneBefore + Math.max(openCount, doneCount),
          fertig,
        },
      })
    publishProgress(false)
    let isEnd = false
    // Processes at least one batch, so that each call makes progress.
    do {
      const claimed = await claimFiles(
        parts,
        pass,
        task,
        Math.min(CLAIM_FILES, MAINTENANCE_ROUND_FILES - doneCount),
      )
      pass = claimed.pass
      isEnd = claimed.found.isEnd
      await remakeFiles(parts, task, claimed.found.files)
      doneCount += claimed.found.files.length
      publishProgress(false)
    } while (!isEnd && doneCount < MAINTENANCE_ROUND_FILES && isTimeLeft())
    // If all counted files are done, only another search shows whether any files are left.
    const filesLeft = isEnd
      ? 0
      : openCount > doneCount
        ? openCount - doneCount
        : await countOpen(parts, task, pass.after_nr)
    if (filesLeft === 0) await database.transaction(tx => endPass(tx, task))
    publishProgress(filesLeft === 0)
    return { bearbeitet: doneCount, offen: filesLeft, fertig: filesLeft === 0 }
  }
}

const timeLimit = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  return () => performance.now() < end
}

const continuePass = ({ database, now }: RoundsParts, task: RoundTask): Promise<Pass> =>
  database.transaction(tx => continueOrStartPass(tx, task, now(), now() - PASS_EXPIRY))

async function countOpen(
  { database, findLackingFiles }: RoundsParts,
  task: RoundTask,
  afterNr: number,
): Promise<number> {
  const found = await findLackingFiles(task, afterNr, {
    maxFiles: Number.POSITIVE_INFINITY,
    mayContinue: timeLimit(SEARCH_TIME),
  })
  return found.files.length + (found.isEnd ? 0 : await countUnexamined(database, task, found.examinedUpTo))
}

/** Finds the next files and claims them, so that no other caller gets the same files. */
async function claimFiles(
  parts: RoundsParts,
  pass: Pass,
  task: RoundTask,
  maxFiles: number,
): Promise<{ pass: Pass; found: LackingFiles }> {
  const { database, findLackingFiles, now } = parts
  for (let currentPass = pass; ; ) {
    const found = await findLackingFiles(task, currentPass.after_nr, {
      maxFiles,
      mayContinue: timeLimit(SEARCH_TIME),
    })
    const advancedPass = await database.transaction(tx =>
      advancePass(tx, currentPass, found.examinedUpTo, found.files.length, now()),
    )
    if (advancedPass) return { pass: advancedPass, found }
    currentPass = await continuePass(parts, task)
  }
}

async function remakeFiles(parts: RoundsParts, task: RoundTask, files: LackingFiles['files']): Promise<void> {
  const remainingFiles = files.values()
  const work = async () => {
    for (const { nr, isPending } of remainingFiles) {
      if (isPending) await waitForQueue(parts, nr)
      // Tried even if the preview queue gave up on the file: the preview may succeed without the variant, and
      // vice versa.
      for (const part of PARTS_BY_TASK[task]) await parts.remake(nr, part)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_FILES }, work))
}

/** Adds a file to the preview queue, and waits until the queue has finished it, or until a timeout. */
async function waitForQueue({ database, enlist }: RoundsParts, nr: number): Promise<void> {
  enlist(nr)
  const isTimeLeft = timeLimit(QUEUE_TIMEOUT)
  for (;;) {
    const row = await database.read
      .selectFrom('media')
      .select('derived')
      .where('nr', '=', nr)
      .executeTakeFirst()
    if (row?.derived !== 'pending' || !isTimeLeft()) return
    await Bun.sleep(QUEUE_POLL_INTERVAL)
  }
}
