/**
 * Tells all processes on one folder that the file system could not be flushed. The kernel tells one caller of
 * an error, and that may be about files which the journal of another process has kept. The time of a file
 * serves as the sign: every process sees it at once, whatever the disk takes. The file is there after the
 * first failure, until it is swept.
 */
import { closeSync, openSync, statSync, utimesSync } from 'node:fs'

export interface FlushFailures {
  /** Another number after each failure of any process. */
  count(): number
  note(): void
}

/** Of the time of a file; file systems round what is shorter. */
const MILLISECONDS_PER_STEP = 1_000

export function flushFailuresIn(file: string): FlushFailures {
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
