/** Limits the rate of background reading, so that clients do not notice it. */
import { MEGABYTE } from '../../contract/values/units.ts'

const PIECE = 4 * MEGABYTE

export interface RateLimitOptions {
  /** Bytes per second. */
  rate?: number
  sleep?: (milliseconds: number) => Promise<unknown>
  now?: () => number
}

export function createRateLimit(options: RateLimitOptions = {}): (bytes: number) => Promise<void> {
  const { rate = 32 * MEGABYTE, sleep = Bun.sleep, now = () => performance.now() } = options
  let read = 0
  let since = now()
  return async bytes => {
    read += bytes
    if (read < PIECE) return
    const due = (1000 * read) / rate - (now() - since)
    if (due > 0) await sleep(due)
    read = 0
    since = now()
  }
}
