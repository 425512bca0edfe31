/** The deadline of a decoder's job. */
import { readdirSync, readFileSync } from 'node:fs'
import { attempt } from '../base/attempt.ts'

/** Maximum extension of the deadline, as a multiple of it. */
const MAX_FACTOR = 3

/**
 * Calls `expired` after this time, unless the returned function is called before. The time for which the
 * decoder waits for a core (`waited`, in milliseconds since its start) is added, since a busy machine is not
 * the picture's fault.
 */
export function startDeadline(milliseconds: number, waited: () => number, expired: () => void): () => void {
  const started = performance.now()
  const waitedBefore = waited()
  function check() {
    const putOff = Math.min(waited() - waitedBefore, MAX_FACTOR * milliseconds)
    const left = started + milliseconds + putOff - performance.now()
    if (left < 1) expired()
    else timer = setTimeout(check, left)
  }
  let timer = setTimeout(check, milliseconds)
  return () => clearTimeout(timer)
}

/** Milliseconds that all threads of a process have waited for a core; 0 except on Linux. */
export function waitedForCore(pid: number): number {
  // A failure means that the thread or the process has ended.
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []
  const nanoseconds = threads.map(thread => {
    const times = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
    return Number(times?.split(' ')[1] ?? 0)
  })
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}
