/**
 * Aborts a transfer that makes no progress. There is no limit for the whole transfer, so a large file may
 * take as long as it needs.
 */

/** Milliseconds without a byte before a transfer is aborted. */
const IDLE_LIMIT = 120_000

/**
 * Declare the limit with `using`, so that it ends together with the transfer. Call `touch` whenever bytes
 * were sent or received.
 */
export function createIdleLimit(limit = IDLE_LIMIT) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('Nothing moved.', 'TimeoutError')), limit)
  return {
    signal: controller.signal,
    touch: () => void timer.refresh(),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
