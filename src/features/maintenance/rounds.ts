/**
 * Makes missing derived files in rounds. Each call handles at most `MAINTENANCE_ROUND_FILES` files and
 * returns how many are left; the client calls again until none are left. A pass is one walk through the
 * library in the order of the row numbers, with its position in the database. So each file is tried at most
 * once per pass, even one that fails again, and concurrent clients share the work.
 */
import { MAINTENANCE_ROUND_FILES, type MaintenanceRoundAnswer } from '../../contract/service/maintenance.ts'
import { MINUTE } from '../../contract/values/units.ts'
import type { Events } from '../events/events.ts'
import type { FeatureParts } from '../feature.ts'
import type { RemakePart } from '../previews/remake.ts'
import {
  countUnexaminedFiles,
  type FindLackingFiles,
  type LackingFiles,
  PARTS_BY_TASK,
  type RoundTask,
} from './lacking-files.ts'
import * as store from './pass.store.ts'

/** Milliseconds after its last call at which a pass expires; the next call starts a new one. */
const PASS_EXPIRY = 10 * MINUTE

/**
 * Maximum number of files that a call claims (reserves for itself) at a time. If its process dies, the
 * claimed files are left for the next pass.
 */
const MAX_CLAIMED_FILES = 12
/**
 * Number of files that one call processes concurrently: more than the process has decoders, so that no
 * decoder is idle while results are written.
 */
const CONCURRENT_FILES = 4

/**
 * Milliseconds after which a round claims no more files. With slow pictures, a longer round could exceed the
 * timeout of a proxy.
 */
const MAX_ROUND_TIME = 20_000
/**
 * Milliseconds after which a search for files stops. A count treats all files that its search has not reached
 * as open (lacking a derived file).
 */
const MAX_SEARCH_TIME = 1_500
/** Maximum milliseconds to wait until the preview queue has finished a file. */
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

export type RunRound = (task: RoundTask) => Promise<MaintenanceRoundAnswer>

export function createRoundRunner(parts: RoundsParts): RunRound {
  const { database, publish, roundTime = MAX_ROUND_TIME } = parts

  return async task => {
    const isTimeLeft = startTimeLimit(roundTime)
    let pass = await continueOrStartPass(parts, task)
    const doneCountBefore = pass.done
    const openCount = await countOpenFiles(parts, task, pass.after_nr)
    let doneCount = 0
    const publishProgress = (fertig: boolean) =>
      publish({
        name: 'fortschritt',
        data: {
          aufgabe: task,
          erledigt: doneCountBefore + doneCount,
          gesamt: doneCountBefore + Math.max(openCount, doneCount),
          fertig,
        },
      })
    publishProgress(false)
    let isEnd = false
    // At least one batch is processed, so that each call makes progress.
    do {
      const claim = await claimFiles(
        parts,
        pass,
        task,
        Math.min(MAX_CLAIMED_FILES, MAINTENANCE_ROUND_FILES - doneCount),
      )
      pass = claim.pass
      isEnd = claim.searchResult.isEnd
      await remakeFiles(parts, task, claim.searchResult.files)
      doneCount += claim.searchResult.files.length
      publishProgress(false)
    } while (!isEnd && doneCount < MAINTENANCE_ROUND_FILES && isTimeLeft())
    // If all counted files are done, only another search shows whether any files are left.
    const remainingCount = isEnd
      ? 0
      : openCount > doneCount
        ? openCount - doneCount
        : await countOpenFiles(parts, task, pass.after_nr)
    if (remainingCount === 0) await database.transaction(tx => store.endPass(tx, task))
    publishProgress(remainingCount === 0)
    return { bearbeitet: doneCount, offen: remainingCount, fertig: remainingCount === 0 }
  }
}

const startTimeLimit = (milliseconds: number) => {
  const endTime = performance.now() + milliseconds
  return () => performance.now() < endTime
}

const continueOrStartPass = ({ database, now }: RoundsParts, task: RoundTask) =>
  database.transaction(tx => store.continueOrStartPass(tx, task, now(), now() - PASS_EXPIRY))

async function countOpenFiles(
  { database, findLackingFiles }: RoundsParts,
  task: RoundTask,
  afterNr: number,
): Promise<number> {
  const searchResult = await findLackingFiles(task, afterNr, {
    maxFiles: Number.POSITIVE_INFINITY,
    mayContinue: startTimeLimit(MAX_SEARCH_TIME),
  })
  return (
    searchResult.files.length +
    (searchResult.isEnd ? 0 : await countUnexaminedFiles(database, task, searchResult.examinedUpTo))
  )
}

/** Finds the next files and claims them by advancing the pass, so that no other caller gets them. */
async function claimFiles(
  parts: RoundsParts,
  pass: store.MaintenancePass,
  task: RoundTask,
  maxFiles: number,
): Promise<{ pass: store.MaintenancePass; searchResult: LackingFiles }> {
  const { database, findLackingFiles, now } = parts
  for (let currentPass = pass; ; ) {
    const searchResult = await findLackingFiles(task, currentPass.after_nr, {
      maxFiles,
      mayContinue: startTimeLimit(MAX_SEARCH_TIME),
    })
    const advancedPass = await database.transaction(tx =>
      store.advancePass(tx, currentPass, searchResult.examinedUpTo, searchResult.files.length, now()),
    )
    if (advancedPass) return { pass: advancedPass, searchResult }
    currentPass = await continueOrStartPass(parts, task)
  }
}

async function remakeFiles(parts: RoundsParts, task: RoundTask, files: LackingFiles['files']): Promise<void> {
  const remainingFiles = files.values()
  const processFiles = async () => {
    for (const { nr, isPending } of remainingFiles) {
      if (isPending) await waitForQueue(parts, nr)
      // Each part is tried even if the preview queue gave up on the file: the preview may succeed without the
      // variant, and vice versa.
      for (const part of PARTS_BY_TASK[task]) await parts.remake(nr, part)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_FILES }, processFiles))
}

/** Adds a file to the preview queue, and waits until the queue has finished it, or until a timeout. */
async function waitForQueue({ database, enlist }: RoundsParts, nr: number): Promise<void> {
  enlist(nr)
  const isTimeLeft = startTimeLimit(QUEUE_TIMEOUT)
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
