/** How long to wait before a message is tried again. */
import { DAY, HOUR, MINUTE, SECOND } from '../../contract/units.ts'

/** After the first failure, the second and so on; the last one from then on. */
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR] as const

/** What the other side asks for counts up to this. */
const LONGEST_DEMAND = HOUR

/** News that is older than this is none, and given up. */
export const MESSAGE_AGE = DAY

/** At least as long as demanded. A short demand does not shorten it: it may be repeated for ever. */
export const pauseAfter = (failures: number, demanded: number): number =>
  Math.max(PAUSES[Math.min(failures, PAUSES.length) - 1] ?? PAUSES[0], demanded)

/**
 * Milliseconds, 0 when nothing is demanded: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), or Discord's
 * `retry_after` in the body, which is finer and wins.
 */
export function demandedPause(header: string | null, body: string, now: number): number {
  const demanded = inBody(body) ?? inHeader(header, now) ?? 0
  return Math.min(Math.max(Math.ceil(demanded), 0), LONGEST_DEMAND)
}

function inHeader(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header.trim())) return Number(header) * SECOND
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : date - now
}

function inBody(body: string): number | null {
  try {
    const { retry_after: seconds } = JSON.parse(body) as { retry_after?: unknown }
    return typeof seconds === 'number' ? seconds * SECOND : null
  } catch {
    return null
  }
}
