/** The deadline of a job, which is extended while the decoder waits for a processor core. */
import { readdirSync, readFileSync } from 'node:fs'
import { attempt } from '../base/attempt.ts'

/** Maximum extension of the deadline, as a multiple of it. */
const MAX_EXTENSION_FACTOR = 3

/**
 * Calls `onExpired` after `milliseconds`, unless the returned function is called first. Time that the decoder
 * has spent waiting for a processor core is added, up to a limit, so that no picture fails only because the
 * machine is busy. `waitedMs` returns how long the decoder has waited since it was started.
 */
export function startDeadline(
  milliseconds: number,
  waitedMs: () => number,
  onExpired: () => void,
): () => void {
  const startedAt = performance.now()
  const waitedMsAtStart = waitedMs()
  function check() {
    const extensionMs = Math.min(waitedMs() - waitedMsAtStart, MAX_EXTENSION_FACTOR * milliseconds)
    const remainingMs = startedAt + milliseconds + extensionMs - performance.now()
    if (remainingMs < 1) onExpired()
    else timer = setTimeout(check, remainingMs)
  }
  let timer = setTimeout(check, milliseconds)
  return () => clearTimeout(timer)
}

/**
 * Milliseconds that all threads of a process together have waited for a processor core; 0 except on Linux.
 */
export function coreWaitTime(pid: number): number {
  // A failure means that the thread or the process has ended, or that there is no `/proc`.
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []
  const nanoseconds = threads.map(thread => {
    const schedstat = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
    return Number(schedstat?.split(' ')[1] ?? 0)
  })
  return nanoseconds.reduce((sum, threadWait) => sum + threadWait, 0) / 1e6
}
