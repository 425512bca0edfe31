/** The deadline of a decoder's job. */
import { readdirSync, readFileSync } from 'node:fs'

/** The deadline is put off by at most this many times its length. */
const MOST_TIMES = 3

/**
 * Calls `expired` when the time is over, unless the returned function was called before. On a busy machine a
 * picture is not to blame for the time in which others had the cores: so the deadline is put off by the time
 * that the decoder has waited for a core. `waited`: the milliseconds that it has waited in all its life.
 */
export function startDeadline(milliseconds: number, waited: () => number, expired: () => void): () => void {
  const started = performance.now()
  const waitedBefore = waited()
  function check() {
    const putOff = Math.min(waited() - waitedBefore, MOST_TIMES * milliseconds)
    const left = started + milliseconds + putOff - performance.now()
    if (left < 1) expired()
    else timer = setTimeout(check, left)
  }
  let timer = setTimeout(check, milliseconds)
  return () => clearTimeout(timer)
}

/**
 * Milliseconds that all threads of a process together have waited for a core; 0 on systems other than Linux,
 * which do not report it here.
 */
export function waitedForCore(pid: number): number {
  const read = <T>(what: () => T, otherwise: T) => {
    try {
      return what()
    } catch {
      return otherwise // the thread or the process has ended
    }
  }
  const nanoseconds = read(() => readdirSync(`/proc/${pid}/task`), []).map(thread => {
    const [, waiting] = read(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), '').split(
      ' ',
    )
    return Number(waiting ?? 0)
  })
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}
