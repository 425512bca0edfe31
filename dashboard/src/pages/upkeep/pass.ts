/**
 * Passes of a maintenance task. A pass requests rounds, each of which processes some of the files, until the
 * service reports that the task is done, the user stops it, or a round fails. It is independent of pages, so
 * that it continues while another page is open.
 */
import type { MaintenanceRoundAnswer } from '../../../../src/contract/service/maintenance.ts'
import { createObservable } from '../../state/observable.ts'

/**
 * Maximum number of attempts for a round, so that an occasional connection error does not end a pass that
 * takes hours.
 */
const MAX_ATTEMPTS = 3
const RETRY_PAUSE = 2_000
/**
 * Milliseconds after the end of a pass during which progress events are ignored: they are late events of that
 * pass.
 */
const LATE_PROGRESS_PERIOD = 3_000
/** Milliseconds without progress after which a pass in another window counts as abandoned. */
const ABANDONED_PASS_TIMEOUT = 45_000

type RunningState = { phase: 'running' | 'stopping'; done: number; total: number | null }

export type PassState =
  | { phase: 'idle' }
  | RunningState
  /** A pass that another window runs. */
  | { phase: 'elsewhere'; done: number; total: number | null }
  | { phase: 'stopped'; done: number; openCount: number }
  | { phase: 'done'; done: number }
  | { phase: 'failed'; error: Error; done: number }

export interface PassProgress {
  erledigt: number
  gesamt: number | null
  fertig: boolean
}

export interface PassDependencies {
  /** Requests one round. */
  requestRound(): Promise<MaintenanceRoundAnswer>
  /** Whether a request that failed with this error is worth repeating. */
  isRetryable(error: Error): boolean
  pause(milliseconds: number): Promise<unknown>
  now(): number
}

export type Pass = ReturnType<typeof createPass>

export function createPass(dependencies: PassDependencies) {
  const { pause, now } = dependencies
  const { get, set, subscribe } = createObservable<PassState>({ phase: 'idle' })
  /**
   * The number of files done in the whole pass, as last reported by an event; null if no event has arrived
   * since the last round ended.
   */
  let reportedCount: number | null = null
  let endedAt = Number.NEGATIVE_INFINITY

  function end(finalState: PassState): void {
    endedAt = now()
    set(finalState)
  }

  /**
   * Runs a pass, unless this window is running one. Resolves when it has ended, by success, stop or failure.
   */
  async function start(): Promise<void> {
    if (isRunning(get())) return
    let [processedCount, shownCount] = [0, 0]
    reportedCount = null
    set({ phase: 'running', done: 0, total: null })
    try {
      for (;;) {
        const { bearbeitet, offen, fertig } = await requestWithRetries(
          dependencies,
          () => get().phase === 'stopping',
        )
        processedCount += bearbeitet
        if (fertig) return end({ phase: 'done', done: processedCount })
        if (get().phase === 'stopping')
          return end({ phase: 'stopped', done: processedCount, openCount: offen })
        // The reported figure counts the whole pass, including what another window has done.
        shownCount = reportedCount ?? shownCount + bearbeitet
        reportedCount = null
        set({ phase: 'running', done: shownCount, total: shownCount + offen })
      }
    } catch (error) {
      end({ phase: 'failed', error: error as Error, done: processedCount })
    }
  }

  /** Called with the progress that the service reports for a pass of this window or of another window. */
  function onProgress({ erledigt, gesamt, fertig }: PassProgress): void {
    const state = get()
    if (isRunning(state)) {
      reportedCount = erledigt
      set({ phase: state.phase, done: erledigt, total: gesamt })
    } else if (now() - endedAt >= LATE_PROGRESS_PERIOD) {
      if (fertig) set({ phase: 'done', done: erledigt })
      else showElsewhere({ phase: 'elsewhere', done: erledigt, total: gesamt })
    }
  }

  function showElsewhere(shownState: PassState): void {
    set(shownState)
    void pause(ABANDONED_PASS_TIMEOUT).then(() => {
      if (get() === shownState) set({ phase: 'idle' })
    })
  }

  /** Stops the pass of this window after the current round. */
  function stop(): void {
    const state = get()
    if (state.phase === 'running') set({ ...state, phase: 'stopping' })
  }

  return { get, subscribe, start, stop, onProgress }
}

const isRunning = (state: PassState): state is RunningState =>
  state.phase === 'running' || state.phase === 'stopping'

/**
 * Requests one round. After an error that `isRetryable` accepts it tries again, at most `MAX_ATTEMPTS` times
 * in all, unless the pass is to be stopped.
 */
async function requestWithRetries(
  { requestRound, isRetryable, pause }: PassDependencies,
  isStopping: () => boolean,
): Promise<MaintenanceRoundAnswer> {
  for (let failureCount = 1; ; failureCount++) {
    try {
      return await requestRound()
    } catch (error) {
      if (failureCount >= MAX_ATTEMPTS || isStopping() || !isRetryable(error as Error)) throw error
      await pause(RETRY_PAUSE)
    }
  }
}
