/** Lets others have their turn while something long is under way: the engine answers synchronously, `/f/` must not wait. */

/** Milliseconds at one go. */
const SLICE = 4

/** Called between steps; waits for a turn of the event loop when the last one is a while ago. */
export type Pace = () => Promise<void>

export function createPace(slice = SLICE): Pace {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < slice) return
    await new Promise(resolve => setImmediate(resolve))
    since = performance.now()
  }
}

/** For transactions over any number of files. */
export const LONG = { long: true }
