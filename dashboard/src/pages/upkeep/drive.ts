/**
 * Drives the rounds of one maintenance to their end: calls again until the service says that it is done. A drive lives
 * outside of the pages, so it goes on while pages change, and hears from the service how far a round is.
 */
import type { RoundAnswer } from '../../../../src/contract/service/maintenance.ts'
import { createObservable } from '../../state/observable.ts'

/** A connection that fails now and then must not end a drive of hours. */
const PATIENCE = 3
const PAUSE = 2_000
/** What the service says of a round may come a little after its answer. */
const LATE = 3_000
/** A drive in another window that is silent for this long has been given up. */
const SILENCE = 45_000

type Driving = { phase: 'running' | 'stopping'; done: number; total: number | null }

export type DriveState =
  | { phase: 'idle' }
  | Driving
  /** Another window drives. */
  | { phase: 'elsewhere'; done: number; total: number | null }
  | { phase: 'stopped'; done: number; open: number }
  | { phase: 'done'; done: number }
  | { phase: 'failed'; error: Error; done: number }

export interface Heard {
  erledigt: number
  gesamt: number | null
  fertig: boolean
}

export interface DriveParts {
  /** One round. */
  call(): Promise<RoundAnswer>
  /** Whether the same call may work a moment later. */
  mayHelp(error: Error): boolean
  pause(milliseconds: number): Promise<unknown>
  now(): number
}

export interface Drive {
  get(): DriveState
  subscribe(listener: () => void): () => void
  /** Resolves when the drive has ended, by success, stop or failure. */
  start(): Promise<void>
  /** The present round is still finished. */
  stop(): void
  /** The service tells how far a round is: of this drive, or of somebody else's. */
  hear(progress: Heard): void
}

export function createDrive(parts: DriveParts): Drive {
  const { pause, now } = parts
  const { get, set, subscribe } = createObservable<DriveState>({ phase: 'idle' })
  /** Files done within the present round, as the service reported. */
  let heard: number | null = null
  let endedAt = Number.NEGATIVE_INFINITY

  function end(next: DriveState): void {
    endedAt = now()
    set(next)
  }

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
        // The reported figure counts the whole drive, also the part that an earlier window has done.
        shown = heard ?? shown + bearbeitet
        heard = null
        set({ phase: 'running', done: shown, total: shown + offen })
      }
    } catch (error) {
      end({ phase: 'failed', error: error as Error, done: made })
    }
  }

  function hear({ erledigt, gesamt, fertig }: Heard): void {
    const state = get()
    if (isDriving(state)) {
      heard = erledigt
      set({ phase: state.phase, done: erledigt, total: gesamt })
    } else if (now() - endedAt >= LATE) {
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

  function stop(): void {
    const state = get()
    if (state.phase === 'running') set({ ...state, phase: 'stopping' })
  }

  return { get, subscribe, start, stop, hear }
}

const isDriving = (state: DriveState): state is Driving =>
  state.phase === 'running' || state.phase === 'stopping'

/** One round; some failures are forgiven, unless somebody wants the drive to end. */
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
