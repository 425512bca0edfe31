import { windowsRun } from './windows.ts'

/**
 * Longer than a busy machine takes, where decoders have the lowest priority; less than the time limit of a
 * test.
 */
export const PATIENCE_MS = 120_000

/**
 * Polls until `look` returns something other than undefined or false, and fails with a clear message if it
 * never does.
 */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = PATIENCE_MS,
): Promise<T> {
  const patience = deadlineMs * slowness()
  const deadline = Date.now() + patience
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`Not within ${patience} ms: ${what}`)
    await Bun.sleep(20)
  }
}

/** One turn of the event loop: everything that was ready to run has run. */
export const nextTurn = () => new Promise<void>(done => setImmediate(done))

/** How many times longer everything takes under Wine, where each system call goes through another process. */
export const slowness = () => (windowsRun() ? 5 : 1)
