/** Limits the rate at which the integrity scrub reads, so that it hardly delays client requests. */
import { MEGABYTE } from '../../contract/values/units.ts'

/** Number of bytes after which the rate is compared with its maximum, and a pause is made if necessary. */
const RATE_CHECK_BYTES = 4 * MEGABYTE

export interface RateLimitOptions {
  /** Maximum bytes per second. */
  rate?: number
  sleep?: (milliseconds: number) => Promise<unknown>
  now?: () => number
}

export function createRateLimit(options: RateLimitOptions = {}): (bytes: number) => Promise<void> {
  const { rate = 32 * MEGABYTE, sleep = Bun.sleep, now = () => performance.now() } = options
  let bytesRead = 0
  let startedAt = now()
  return async bytes => {
    bytesRead += bytes
    if (bytesRead < RATE_CHECK_BYTES) return
    const delay = (1000 * bytesRead) / rate - (now() - startedAt)
    if (delay > 0) await sleep(delay)
    bytesRead = 0
    startedAt = now()
  }
}
