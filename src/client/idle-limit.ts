/** Ends a transfer on which nothing has moved for a while; a large file may take as long as it needs. */

/** Milliseconds without a byte. */
const IDLE = 120_000

export interface IdleLimit {
  signal: AbortSignal
  /** Something moved. */
  touch(): void
  end(): void
}

export function createIdleLimit(idle = IDLE): IdleLimit {
  const controller = new AbortController()
  const give = () => controller.abort(new DOMException('Nothing moved.', 'TimeoutError'))
  let timer = setTimeout(give, idle)
  return {
    signal: controller.signal,
    touch() {
      clearTimeout(timer)
      timer = setTimeout(give, idle)
    },
    end: () => clearTimeout(timer),
  }
}
