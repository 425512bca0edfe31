/** Retries with growing pauses. */
import { retryAfterOf } from '../../contract/values/retry-after.ts'

/**
 * Thrown by an attempt if another attempt may succeed. `after`: milliseconds that the server asks to wait.
 */
export class TransientError extends Error {
  constructor(
    /** The error to report if no attempt is left. */
    readonly trouble: Error,
    readonly after?: number,
  ) {
    super(trouble.message)
  }
}

export interface Patience {
  attempts: number
  sleep(milliseconds: number): Promise<unknown>
  random(): number
}

/**
 * Maximum number of attempts. Together they take about a minute, in which a service that restarts is ready
 * again.
 */
const ATTEMPTS = 8
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000
/** Maximum milliseconds of a `Retry-After` that is honoured. */
const LONGEST_ASKED = 600_000

export const PATIENCE: Patience = { attempts: ATTEMPTS, sleep: Bun.sleep, random: Math.random }

export async function withRetries<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TransientError)) throw error
      if (tried >= patience.attempts) throw error.trouble
      await patience.sleep(error.after ?? pauseAfter(tried, patience.random()))
    }
  }
}

/**
 * The pause doubles with each attempt; half of it is random, so that parallel transfers do not all retry at
 * once.
 */
function pauseAfter(tried: number, chance: number): number {
  const longest = Math.min(FIRST_PAUSE * 2 ** (tried - 1), LONGEST_PAUSE)
  return longest / 2 + (longest / 2) * chance
}

/** Whether a retry may help. 507 is left out, because a full disk stays full. */
export const isTransient = (status: number) => [408, 425, 429, 500, 502, 503, 504].includes(status)

export function askedPause(headers: Headers, now: number): number | undefined {
  const asked = retryAfterOf(headers.get('Retry-After'), now)
  return asked === null ? undefined : Math.min(asked, LONGEST_ASKED)
}
