/**
 * The pauses between attempts to send a message (backoff), and the pause that the receiver of the message
 * demands in its answer.
 */
import { attempt } from '../../base/attempt.ts'
import { retryAfterOf } from '../../contract/values/retry-after.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../contract/values/units.ts'

/**
 * Milliseconds to wait after the first failure, after the second and so on. After further failures, the last
 * pause is used.
 */
const RETRY_PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR] as const

/** Maximum pause in milliseconds, even if the receiver demands more. */
export const MAX_RETRY_PAUSE = HOUR

/** Maximum age of a message in milliseconds. If its next attempt would be later, the message is given up. */
export const MAX_MESSAGE_AGE = DAY

/**
 * Milliseconds to wait after this number of failures, but at least `minPause`, which the receiver demands. If
 * the receiver demands less, the pause is not shortened, because the receiver may repeat that demand forever.
 */
export const pauseAfter = (failures: number, minPause: number): number =>
  Math.max(RETRY_PAUSES[Math.min(failures, RETRY_PAUSES.length) - 1] ?? RETRY_PAUSES[0], minPause)

/**
 * The pause that the receiver demands, in milliseconds, at most `MAX_RETRY_PAUSE`; 0 if it demands none. It
 * is read from `retry_after` in the body, as Discord sends it, because that is more precise; otherwise from
 * `Retry-After` (RFC 9110 §10.2.3).
 */
export function demandedPause(header: string | null, body: string, now: number): number {
  const milliseconds = retryAfterInBody(body) ?? retryAfterOf(header, now) ?? 0
  return Math.min(Math.max(Math.ceil(milliseconds), 0), MAX_RETRY_PAUSE)
}

function retryAfterInBody(body: string): number | null {
  const seconds = attempt(() => (JSON.parse(body) as { retry_after?: unknown }).retry_after)
  return typeof seconds === 'number' ? seconds * SECOND : null
}
