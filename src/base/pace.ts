/**
 * Makes a long operation yield to other work. SQLite is synchronous, so a long operation would block the
 * event loop, and delay requests for files (`/f/`).
 */

/** Milliseconds of each event loop iteration that all long operations together may use. */
const TIME_SLICE = 4

let iterationStart: number | undefined

/**
 * Called between the steps of a long operation; waits for the next iteration when the time slice is used up.
 */
export async function pace(): Promise<void> {
  if (performance.now() - ensureIterationStart() < TIME_SLICE) return
  await new Promise(resolve => setImmediate(resolve))
  // Starts measuring the new iteration now, so that the next step of the operation counts.
  ensureIterationStart()
}

/**
 * Returns when the first long operation began to use the current iteration, as a time of `performance.now()`.
 */
function ensureIterationStart(): number {
  if (iterationStart === undefined) {
    iterationStart = performance.now()
    setImmediate(() => {
      iterationStart = undefined
    })
  }
  return iterationStart
}

/** Options for a transaction that may change any number of files. */
export const LONG_TRANSACTION = { long: true }
