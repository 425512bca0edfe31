/**
 * Makes a long operation yield to other work. SQLite is synchronous, so a long operation would block the
 * event loop, and requests to `/f/` must not wait.
 */

/** Milliseconds that all long operations together may take of one event loop iteration. */
const TIME_SLICE = 4

let iterationStart: number | undefined

/** Called between the steps of an operation; waits for the next iteration when the slice is used up. */
export async function pace(): Promise<void> {
  if (performance.now() - startOfIteration() < TIME_SLICE) return
  await new Promise(resolve => setImmediate(resolve))
  // Starts the clock of the new iteration before the next step, so that it includes that step.
  startOfIteration()
}

/** When long operations began to use time of the current iteration. */
function startOfIteration(): number {
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
