/**
 * The integrity scrub: reads the original of every file again within about thirty days, so that corruption on
 * disk is noticed while a backup still has the intact bytes.
 *
 * How much is read depends on the time that has passed, not on how often the scrub runs: credit, in bytes,
 * grows with each millisecond, and each file costs its size and a fixed amount. So the rate stays the same
 * after restarts and short pauses, and with several processes. Credit never exceeds one day's worth, so the
 * scrub does not catch up after a long pause. After a large file the scrub waits for new credit. The position
 * (the file that was read last) is in the database; the process that advances it holds the lease `scrub`.
 */
import { DAY, HOUR, MEGABYTE, MINUTE } from '../../contract/values/units.ts'
import type { FeatureParts } from '../feature.ts'
import type { Notifier } from '../notify/notify.ts'
import { examineFile } from './examine.ts'
import {
  type CheckOutcomes,
  deleteVoidFindings,
  findingsToRecheck,
  hasFindings,
  saveCheckOutcomes,
} from './findings.store.ts'
import { sendFindings } from './findings-message.ts'
import { type FileAmount, findOwner, type Owner, readOwnerPage, totalFileAmount } from './owners.ts'
import { readScrubState, type ScrubState, saveScrubState } from './scrub.store.ts'

export const SCRUB_PERIOD = 30 * DAY
/** Milliseconds from the end of one run to the next. Each run reads as much as the credit allows. */
export const SCRUB_INTERVAL = 15 * MINUTE

/** Minimum credit per day in bytes, so that a small library is read more often than every thirty days. */
const MIN_BYTES_PER_DAY = 256 * MEGABYTE
/** Bytes of credit that opening a file costs, so that a million small files are not read at once. */
const COST_PER_FILE = 16 * 1024

/**
 * The position is saved after this number of files, or after the file with which this number of bytes is
 * reached. After a crash, reading continues from the last saved position.
 */
const STEP_FILES = 50
const STEP_BYTES = 64 * MEGABYTE

/**
 * Milliseconds after which a finding (a missing or damaged file) is checked again: the operator may have
 * restored the file.
 */
const RECHECK_INTERVAL = HOUR
const RECHECKS_PER_SLICE = 50

export interface ScrubParts extends Pick<FeatureParts, 'database' | 'storage' | 'now'> {
  notify: Notifier
  /** Called with the length of each chunk; reading continues when the promise resolves. */
  limitRate: (bytes: number) => Promise<void>
  minBytesPerDay?: number
}

export type Scrub = ReturnType<typeof createScrub>

const costOf = ({ files, bytes }: FileAmount) => bytes + files * COST_PER_FILE

export function createScrub(parts: ScrubParts) {
  const { database, notify, now, limitRate } = parts

  return {
    /**
     * Checks old findings again, then reads files until the credit is used up, the round ends or `signal`
     * aborts, and then reports new findings. The caller must hold the lease `scrub`.
     */
    async readSlice(signal: AbortSignal) {
      await recheckFindings(parts, signal)
      const totalCost = costOf(await totalFileAmount(database.read))
      const state = addCredit(parts, await readScrubState(database.read), totalCost)
      const mayContinue = ({ credit }: ScrubState) => credit > 0 && !signal.aborted
      await continueReading(parts, state, { mayContinue, onBytes: limitRate, onStep: () => {} })
      await sendFindings({ database, notify })
    },

    /**
     * Starts a new round and reads every file now, without a rate limit. Resolves at the end, or after the
     * current file if `signal` aborts. The caller must hold the lease `scrub`.
     */
    async readEverything(
      signal: AbortSignal,
      onProgress: (readAmount: FileAmount, total: FileAmount) => void,
    ) {
      const total = await totalFileAmount(database.read)
      const state = {
        ...(await readScrubState(database.read)),
        ...ROUND_START,
        ran_at: now(),
        round_began_at: now(),
      }
      onProgress({ files: 0, bytes: 0 }, total)
      const onStep = ({ round_files, round_bytes }: ScrubState) =>
        onProgress({ files: round_files, bytes: round_bytes }, total)
      await continueReading(parts, state, { mayContinue: () => !signal.aborted, onBytes: () => {}, onStep })
      await sendFindings({ database, notify })
    },
  }
}

/**
 * Adds credit for the time since the last run. The credit never exceeds one day's worth, so that the scrub
 * does not catch up after a long pause. A debt (negative credit) never exceeds the cost of the whole library.
 */
function addCredit(
  { now, minBytesPerDay = MIN_BYTES_PER_DAY }: ScrubParts,
  state: ScrubState,
  totalCost: number,
): ScrubState {
  // `ran_at` is zero before the first run, and in the future after a run with a clock that was ahead.
  const isLastRunKnown = state.ran_at > 0 && state.ran_at <= now()
  const elapsedTime = isLastRunKnown ? now() - state.ran_at : SCRUB_INTERVAL
  const bytesPerDay = Math.max((totalCost * DAY) / SCRUB_PERIOD, minBytesPerDay)
  const credit = Math.min(state.credit + (bytesPerDay * elapsedTime) / DAY, bytesPerDay)
  return { ...state, credit: Math.round(Math.max(credit, -totalCost)), ran_at: now() }
}

/**
 * Deletes the findings of files that no longer exist, and checks some old findings again: the operator may
 * have restored the files.
 */
async function recheckFindings(parts: ScrubParts, signal: AbortSignal): Promise<void> {
  const { database, now, limitRate } = parts
  if (!(await hasFindings(database.read))) return
  await database.transaction(tx => deleteVoidFindings(tx))
  const ids = await findingsToRecheck(database.read, {
    now: now(),
    minAge: RECHECK_INTERVAL,
    limit: RECHECKS_PER_SLICE,
  })
  for (const id of ids) {
    if (signal.aborted) return
    const owner = await findOwner(database.read, id)
    const reason = owner && (await examineFile(parts, owner, { readsContent: true, onBytes: limitRate }))
    await database.transaction(tx => saveCheckOutcomes(tx, new Map([[id, reason]]), now()))
  }
}

interface ReadOptions {
  mayContinue(state: ScrubState): boolean
  onBytes(count: number): Promise<void> | void
  onStep(state: ScrubState): void
}

/** Reads files from the position in `state` on, until the round ends or `mayContinue` returns false. */
async function continueReading(parts: ScrubParts, state: ScrubState, options: ReadOptions): Promise<void> {
  const { database, now } = parts
  const { mayContinue, onBytes, onStep } = options
  state.round_began_at ??= now()
  for (;;) {
    const owners = await readOwnerPage(database.read, state.place, state.after_nr, STEP_FILES)
    const outcomes: CheckOutcomes = new Map()
    let unsavedBytes = 0
    for (const owner of owners) {
      if (unsavedBytes >= STEP_BYTES || !mayContinue(state)) break
      outcomes.set(owner.id, await examineFile(parts, owner, { readsContent: true, onBytes }))
      advancePosition(state, owner)
      unsavedBytes += owner.size
    }
    const isRoundEnd = owners.length === 0 && state.place === 'trash'
    if (owners.length === 0) startNextTable(state, now())
    await database.transaction(async tx => {
      await saveScrubState(tx, state)
      await saveCheckOutcomes(tx, outcomes, now())
    })
    onStep(state)
    if (isRoundEnd || !mayContinue(state)) return
  }
}

const ROUND_START = { place: 'media', after_nr: 0, credit: 0, round_files: 0, round_bytes: 0 } as const

function advancePosition(state: ScrubState, { nr, size }: Owner): void {
  state.after_nr = nr
  state.credit -= size + COST_PER_FILE
  state.round_files++
  state.round_bytes += size
}

/**
 * Moves the position on when all files of one table were read. The library is followed by the trash. After
 * the trash the round ends, and the position is reset to the start of the library.
 */
function startNextTable(state: ScrubState, completedAt: number): void {
  if (state.place === 'media') Object.assign(state, { place: 'trash', after_nr: 0 })
  else {
    const { credit } = state
    Object.assign(state, ROUND_START, { credit, completed_at: completedAt, round_began_at: null })
  }
}
