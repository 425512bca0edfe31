/** The pauses between attempts to send a message, and the pause that an answer demands. */
import { attempt } from '../../base/attempt.ts'
import { retryAfterOf } from '../../contract/values/retry-after.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../contract/values/units.ts'

/** Milliseconds after the first failure, the second and so on; later ones get the last pause. */
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR] as const

/** Maximum milliseconds of a pause, even if the receiver demands more. */
export const LONGEST_PAUSE = HOUR

/** Maximum age of a message in milliseconds: if its next attempt would be later, it is given up. */
export const MAX_MESSAGE_AGE = DAY

/**
 * The pause after this number of failures, but at least `minPause`, which the receiver demands. A short
 * demand does not shorten the pause, since the receiver may repeat it for ever.
 */
export const pauseAfter = (failures: number, minPause: number): number =>
  Math.max(PAUSES[Math.min(failures, PAUSES.length) - 1] ?? PAUSES[0], minPause)

/**
 * The demanded pause in milliseconds; 0: none. From `Retry-After` (RFC 9110, 10.2.3), or from Discord's
 * `retry_after` in the body, which is more precise and takes precedence.
 */
export function demandedPause(header: string | null, body: string, now: number): number {
  const milliseconds = retryAfterInBody(body) ?? retryAfterOf(header, now) ?? 0
  return Math.min(Math.max(Math.ceil(milliseconds), 0), LONGEST_PAUSE)
}

function retryAfterInBody(body: string): number | null {
  const seconds = attempt(() => (JSON.parse(body) as { retry_after?: unknown }).retry_after)
  return typeof seconds === 'number' ? seconds * SECOND : null
}
