/**
 * Requests the rounds of one maintenance task until the service reports that it is done. A drive lives
 * outside of the pages, so it continues while pages change.
 */
import type { RoundAnswer } from '../../../../src/contract/service/maintenance.ts'
import { createObservable } from '../../state/observable.ts'

/** Retries, so that an occasional connection error does not end a drive of hours. */
const PATIENCE = 3
const PAUSE = 2_000
/** Progress of a round may arrive a little after its answer. */
const LATE_PROGRESS_MS = 3_000
/** Milliseconds of silence after which a drive in another window counts as abandoned. */
const SILENCE = 45_000

type Driving = { phase: 'running' | 'stopping'; done: number; total: number | null }

export type DriveState =
  | { phase: 'idle' }
  | Driving
  /** Another window is driving. */
  | { phase: 'elsewhere'; done: number; total: number | null }
  | { phase: 'stopped'; done: number; open: number }
  | { phase: 'done'; done: number }
  | { phase: 'failed'; error: Error; done: number }

export interface RoundProgress {
  erledigt: number
  gesamt: number | null
  fertig: boolean
}

export interface DriveParts {
  /** One round. */
  call(): Promise<RoundAnswer>
  /** Whether a retry may help. */
  mayHelp(error: Error): boolean
  pause(milliseconds: number): Promise<unknown>
  now(): number
}

export type Drive = ReturnType<typeof createDrive>

export function createDrive(parts: DriveParts) {
  const { pause, now } = parts
  const { get, set, subscribe } = createObservable<DriveState>({ phase: 'idle' })
  /** Files done in the current round, as reported. */
  let heard: number | null = null
  let endedAt = Number.NEGATIVE_INFINITY

  function end(next: DriveState): void {
    endedAt = now()
    set(next)
  }

  /** Resolves when the drive has ended, by success, stop or failure. */
  async function start(): Promise<void> {
    if (isDriving(get())) return
    let [made, shown] = [0, 0]
    heard = null
    set({ phase: 'running', done: 0, total: null })
    try {
      for (;;) {
        const { bearbeitet, offen, fertig } = await callPatiently(parts, () => get().phase === 'stopping')
        made += bearbeitet
        if (fertig) return end({ phase: 'done', done: made })
        if (get().phase === 'stopping') return end({ phase: 'stopped', done: made, open: offen })
        // The reported figure counts the whole drive, including what another window has done.
        shown = heard ?? shown + bearbeitet
        heard = null
        set({ phase: 'running', done: shown, total: shown + offen })
      }
    } catch (error) {
      end({ phase: 'failed', error: error as Error, done: made })
    }
  }

  /** Called with progress from the service: of this drive, or of one in another window. */
  function hear({ erledigt, gesamt, fertig }: RoundProgress): void {
    const state = get()
    if (isDriving(state)) {
      heard = erledigt
      set({ phase: state.phase, done: erledigt, total: gesamt })
    } else if (now() - endedAt >= LATE_PROGRESS_MS) {
      if (fertig) set({ phase: 'done', done: erledigt })
      else showElsewhere({ phase: 'elsewhere', done: erledigt, total: gesamt })
    }
  }

  function showElsewhere(elsewhere: DriveState): void {
    set(elsewhere)
    void pause(SILENCE).then(() => {
      if (get() === elsewhere) set({ phase: 'idle' })
    })
  }

  /** The current round is still finished. */
  function stop(): void {
    const state = get()
    if (state.phase === 'running') set({ ...state, phase: 'stopping' })
  }

  return { get, subscribe, start, stop, hear }
}

const isDriving = (state: DriveState): state is Driving =>
  state.phase === 'running' || state.phase === 'stopping'

/** One round; some errors are retried, unless the drive is to stop. */
async function callPatiently(
  { call, mayHelp, pause }: DriveParts,
  isStopping: () => boolean,
): Promise<RoundAnswer> {
  for (let failures = 1; ; failures++) {
    try {
      return await call()
    } catch (error) {
      if (failures >= PATIENCE || isStopping() || !mayHelp(error as Error)) throw error
      await pause(PAUSE)
    }
  }
}
