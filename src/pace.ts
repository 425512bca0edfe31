/**
 * Lets other work run during a long task. The embedded database engine answers synchronously, so a long task would
 * otherwise block the event loop, and requests to `/f/` must not wait.
 */

/** Milliseconds that a task may run before it yields. */
const SLICE = 4

/** Called between the steps of a task; waits for a turn of the event loop when the slice is used up. */
export type Pace = () => Promise<void>

export function createPace(slice = SLICE): Pace {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < slice) return
    await new Promise(resolve => setImmediate(resolve))
    since = performance.now()
  }
}

/** Options of a transaction that changes an unbounded number of files. */
export const LONG = { long: true }
