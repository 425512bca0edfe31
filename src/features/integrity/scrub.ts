/**
 * The integrity scrub: reads every object again over about thirty days, a little at a time, so that bytes that went bad
 * on the disk are known while a backup still holds good ones.
 *
 * How much is read follows from time, not from how often it runs: credit grows with each millisecond, and each file read
 * costs its size. So restarts, pauses and several instances change nothing, and a large file is waited for
 * afterwards. The cursor is in the database; who works at it holds the task `scrub`.
 */
import { DAY, HOUR, MEGABYTE, MINUTE } from '../../contract/units.ts'
import type { Database } from '../../database/database.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Notify } from '../notify/notify.ts'
import { examine } from './examine.ts'
import {
  dropVoid,
  findingsLookedAtBefore,
  hasFindings,
  type Outcomes,
  saveOutcomes,
} from './findings.store.ts'
import { type Amount, findOwner, type Owner, ownedAmount, ownersAfter } from './owners.ts'
import { type ScrubState, saveState, scrubState } from './scrub.store.ts'
import { tellFindings } from './tell.ts'

export const SCRUB_PERIOD = 30 * DAY
/** How often it is asked whether there is credit to read for. */
export const SCRUB_INTERVAL = 15 * MINUTE

/** At least a little: a small library is read more often than every thirty days. */
const LEAST_PER_DAY = 256 * MEGABYTE
/** What opening a file costs beside its bytes: a million small files are not read in one go. */
const PER_FILE = 16 * 1024

/** Written down after so many files or bytes; a crash makes it read as much again. */
const STEP_FILES = 50
const STEP_BYTES = 64 * MEGABYTE

/** A finding is looked at again this often: the operator may have put the file back. */
const LOOK_AGAIN = HOUR
const LOOKS_PER_SLICE = 50

export interface ScrubParts {
  database: Database
  storage: Storage
  notify: Notify
  now: () => number
  /** Called between pieces of a slow reading, so that the disk has time for others. */
  rest: (bytes: number) => Promise<void>
  leastPerDay?: number
}

export interface Scrub {
  /** Reads as much as there is credit for. The caller holds the task `scrub`. */
  slice(signal: AbortSignal): Promise<void>
  /** Reads everything now, as fast as the disk gives it; resolves at the end or when `signal` aborts. Same task. */
  whole(signal: AbortSignal, onProgress: (read: Amount, total: Amount) => void): Promise<void>
}

const costOf = ({ files, bytes }: Amount) => bytes + files * PER_FILE

export function createScrub(parts: ScrubParts): Scrub {
  const { database, notify, now, rest, leastPerDay = LEAST_PER_DAY } = parts

  /** The state with what time has brought; never more than a day's worth, so that no long pause is made up in one go. */
  function credited(state: ScrubState, total: number): ScrubState {
    const elapsed = state.ran_at === 0 ? SCRUB_INTERVAL : Math.max(0, now() - state.ran_at)
    const perDay = Math.max((total * DAY) / SCRUB_PERIOD, leastPerDay)
    const credit = Math.min(state.credit + (perDay * elapsed) / DAY, perDay)
    return { ...state, credit: Math.round(Math.max(credit, -total)), ran_at: now() }
  }

  /** Reads files from the cursor on while `may` allows; true when the round came to its end. */
  async function readOn(state: ScrubState, options: ReadOptions): Promise<boolean> {
    const { may, onBytes, onStep } = options
    state.round_began_at ??= now()
    for (;;) {
      const owners = await ownersAfter(database.read, state.place, state.after_nr, STEP_FILES)
      const outcomes: Outcomes = new Map()
      let unsaved = 0
      for (const owner of owners) {
        if (unsaved >= STEP_BYTES || !may(state)) break
        outcomes.set(owner.id, await examine(parts, owner, { content: true, onBytes }))
        advance(state, owner)
        unsaved += owner.size
      }
      const place = state.place
      if (owners.length === 0) turnOver(state, now())
      await database.transaction(async tx => {
        await saveState(tx, state)
        await saveOutcomes(tx, outcomes, now())
      })
      onStep(state)
      if (owners.length === 0 && place === 'trash') return true
      if (!may(state)) return false
    }
  }

  async function lookAgain(signal: AbortSignal): Promise<void> {
    if (!(await hasFindings(database.read))) return
    await database.transaction(tx => dropVoid(tx))
    const ids = await findingsLookedAtBefore(database.read, now() - LOOK_AGAIN, LOOKS_PER_SLICE)
    for (const id of ids) {
      if (signal.aborted) return
      const owner = await findOwner(database.read, id)
      const reason = owner && (await examine(parts, owner, { content: true, onBytes: rest }))
      await database.transaction(tx => saveOutcomes(tx, new Map([[id, reason]]), now()))
    }
  }

  return {
    async slice(signal) {
      await lookAgain(signal)
      const total = costOf(await ownedAmount(database.read))
      const state = credited(await scrubState(database.read), total)
      const may = ({ credit }: ScrubState) => credit > 0 && !signal.aborted
      await readOn(state, { may, onBytes: rest, onStep: () => {} })
      await tellFindings({ database, notify })
    },

    async whole(signal, onProgress) {
      const total = await ownedAmount(database.read)
      const state = {
        ...(await scrubState(database.read)),
        ...AT_START,
        ran_at: now(),
        round_began_at: now(),
      }
      onProgress({ files: 0, bytes: 0 }, total)
      const onStep = ({ round_files, round_bytes }: ScrubState) =>
        onProgress({ files: round_files, bytes: round_bytes }, total)
      await readOn(state, { may: () => !signal.aborted, onBytes: () => {}, onStep })
      await tellFindings({ database, notify })
    },
  }
}

interface ReadOptions {
  may(state: ScrubState): boolean
  onBytes(count: number): Promise<void> | void
  onStep(state: ScrubState): void
}

const AT_START = { place: 'media', after_nr: 0, credit: 0, round_files: 0, round_bytes: 0 } as const

function advance(state: ScrubState, { nr, size }: Owner): void {
  state.after_nr = nr
  state.credit -= size + PER_FILE
  state.round_files++
  state.round_bytes += size
}

/** The library is through: the trash is next; with that the round ends and another one begins when it has credit. */
function turnOver(state: ScrubState, at: number): void {
  if (state.place === 'media') Object.assign(state, { place: 'trash', after_nr: 0 })
  else {
    const { credit } = state
    Object.assign(state, AT_START, { credit, completed_at: at, round_began_at: null })
  }
}
