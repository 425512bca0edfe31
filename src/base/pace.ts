/**
 * Lets other work run between the steps of a long operation. SQLite is synchronous, so the operation would
 * otherwise block the event loop, and delay requests for files (`/f/`).
 */

/** Milliseconds of each event loop iteration that all long operations together may use. */
const TIME_SLICE = 4

let iterationStart: number | undefined

/**
 * Called between the steps of a long operation. If the time slice is used up, waits for the next iteration of
 * the event loop.
 */
export async function pace(): Promise<void> {
  if (performance.now() - ensureIterationStart() < TIME_SLICE) return
  await new Promise(resolve => setImmediate(resolve))
  // Measures the new iteration from now on, so that the time of the next step counts.
  ensureIterationStart()
}

/**
 * Returns the time at which the first long operation began to use the current iteration, by
 * `performance.now()`.
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

/**
 * Options for a transaction that may change any number of files: it is not grouped with others, and may take
 * longer.
 */
export const LONG_TRANSACTION = { long: true }
