/**
 * Tells all processes on one folder that a flush failed. The kernel reports an error to one caller only, but
 * it may concern files in another process's journal. The signal is the modification time of a file, which
 * every process sees at once, even if the disk cannot be written. The file exists from the first failure
 * until it is swept.
 */
import { closeSync, openSync, statSync, utimesSync } from 'node:fs'

export type FlushFailures = ReturnType<typeof flushFailuresIn>

/** Step of the modification time, in milliseconds: file systems round smaller differences. */
const MILLISECONDS_PER_STEP = 1_000

export function flushFailuresIn(file: string) {
  /** Another number after each failure of any process. */
  const count = () => {
    const time = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    return Math.floor(time / MILLISECONDS_PER_STEP)
  }
  return {
    count,
    note() {
      const next = Math.max(count() + 1, Math.floor(Date.now() / MILLISECONDS_PER_STEP))
      closeSync(openSync(file, 'a'))
      utimesSync(file, next, next)
    },
  }
}
