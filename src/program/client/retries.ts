/** Retries of requests, with growing pauses. */
import { retryAfterOf } from '../../contract/values/retry-after.ts'

/**
 * Thrown by an attempt if another attempt may succeed. `retryAfter`: milliseconds to wait before the next
 * attempt; if absent, the usual pause applies.
 */
export class TransientError extends Error {
  constructor(
    /** The error to report if no attempt is left. */
    readonly finalError: Error,
    readonly retryAfter?: number,
  ) {
    super(finalError.message)
  }
}

export interface RetryPolicy {
  maxAttempts: number
  sleep(milliseconds: number): Promise<unknown>
  random(): number
}

/**
 * Maximum number of attempts. The pauses between them take up to about a minute in total (more with
 * `Retry-After`), so that a service can restart meanwhile.
 */
const MAX_ATTEMPTS = 8
/** Maximum length of the first pause, in milliseconds; the maximum doubles with each further pause. */
const FIRST_PAUSE = 500
/** Maximum length of any pause that `Retry-After` does not determine, in milliseconds. */
const MAX_PAUSE = 30_000
/** The longest pause that `Retry-After` can determine, in milliseconds. Longer ones are shortened to it. */
const MAX_RETRY_AFTER = 600_000

export const RETRY_POLICY: RetryPolicy = { maxAttempts: MAX_ATTEMPTS, sleep: Bun.sleep, random: Math.random }

export async function withRetries<T>(attempt: () => Promise<T>, retryPolicy: RetryPolicy): Promise<T> {
  for (let attemptNumber = 1; ; attemptNumber++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TransientError)) throw error
      if (attemptNumber >= retryPolicy.maxAttempts) throw error.finalError
      await retryPolicy.sleep(error.retryAfter ?? pauseAfter(attemptNumber, retryPolicy.random()))
    }
  }
}

/**
 * Milliseconds to wait after a failed attempt: a random value between half the maximum and the maximum, so
 * that parallel transfers do not all retry at the same time. The maximum doubles with each attempt, up to
 * `MAX_PAUSE`.
 */
function pauseAfter(attemptNumber: number, randomShare: number): number {
  const maxPause = Math.min(FIRST_PAUSE * 2 ** (attemptNumber - 1), MAX_PAUSE)
  return maxPause / 2 + (maxPause / 2) * randomShare
}

/**
 * Whether a retry may help after an answer with this status. 507 is left out, because a full disk stays full.
 */
export const isTransientStatus = (status: number) => [408, 425, 429, 500, 502, 503, 504].includes(status)

export function retryAfterPause(headers: Headers, now: number): number | undefined {
  const milliseconds = retryAfterOf(headers.get('Retry-After'), now)
  return milliseconds === null ? undefined : Math.min(milliseconds, MAX_RETRY_AFTER)
}
