/**
 * Yields to other work during a long operation. SQLite is synchronous, so a long operation would block the
 * event loop, and requests to `/f/` must not wait.
 */

/** Milliseconds of one event loop iteration that all long operations together may take. */
const SLICE = 4

let turnBegan: number | undefined

/** Called between the steps of an operation; waits for the next iteration when the slice is used up. */
export async function pace(): Promise<void> {
  if (performance.now() - began() < SLICE) return
  await new Promise(resolve => setImmediate(resolve))
  // The first step after the wait counts too.
  began()
}

/** When long operations began to take time of the current iteration. */
function began(): number {
  if (turnBegan === undefined) {
    turnBegan = performance.now()
    setImmediate(() => {
      turnBegan = undefined
    })
  }
  return turnBegan
}

/** Options of a transaction that changes an unbounded number of files. */
export const LONG = { long: true }
