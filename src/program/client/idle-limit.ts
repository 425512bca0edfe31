/** Aborts a transfer that makes no progress; a large file may take as long as it needs. */

/** Milliseconds without a byte before a transfer is aborted. */
const IDLE = 120_000

/** `using` ends the limit together with the transfer; `touch` must be called when bytes arrive. */
export function createIdleLimit(idle = IDLE) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('Nothing moved.', 'TimeoutError')), idle)
  return {
    signal: controller.signal,
    touch: () => void timer.refresh(),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
