/**
 * Limits what visitors of public links may do at the same time: no visitor can block the others, and all of
 * them together leave capacity for the rest of the service. Each process counts for itself.
 */
import { HOUR, SECOND } from '../../contract/values/units.ts'
import type { Failure } from '../../errors/failure.ts'

export interface VisitorLimits {
  /** Maximum concurrent transfers per visitor network, per link, and in total. */
  atOnce: { visitor: number; link: number; all: number }
  /** Maximum transfers and bytes per visitor network and hour. */
  hourly: { files: number; bytes: number }
}

/** Maximum number of visitor networks whose hourly use is kept in memory. */
export const MAX_REMEMBERED_NETWORKS = 10_000

export type VisitorLimiter = ReturnType<typeof createVisitorLimiter>

interface HourlyUse {
  until: number
  files: number
  bytes: number
}

interface VisitorLimiterParts {
  now: () => number
  limits: VisitorLimits
  /** Creates the error with status 429. `seconds`: how long the visitor should wait before trying again. */
  createRefusal: (seconds: number) => Failure
}

export function createVisitorLimiter({
  now,
  limits: { atOnce, hourly },
  createRefusal,
}: VisitorLimiterParts) {
  const openCounts = new Map<string, number>()
  const hourlyUse = new Map<string, HourlyUse>()
  const openCountOf = (what: string) => openCounts.get(what) ?? 0

  function changeCount(what: string, by: 1 | -1): void {
    const count = openCountOf(what) + by
    if (count === 0) openCounts.delete(what)
    else openCounts.set(what, count)
  }

  /**
   * Whether the entry still counts: its hour has not ended. An end more than an hour away was written by a
   * wrong clock and does not count.
   */
  const isCurrent = ({ until }: HourlyUse) => until > now() && until <= now() + HOUR

  function currentUse(client: string): HourlyUse {
    const knownUse = hourlyUse.get(client)
    if (knownUse && isCurrent(knownUse)) return knownUse
    // The entries are in the order in which their hours began. Expired entries are deleted, and if there are
    // still too many, the oldest ones too.
    for (const [each, hour] of hourlyUse) {
      if (isCurrent(hour) && hourlyUse.size < MAX_REMEMBERED_NETWORKS) break
      hourlyUse.delete(each)
    }
    const newUse = { until: now() + HOUR, files: 0, bytes: 0 }
    hourlyUse.delete(client)
    hourlyUse.set(client, newUse)
    return newUse
  }

  return {
    /**
     * Admits one transfer of a visitor; the caller must dispose of the result when the transfer has ended.
     * Throws 429 if a limit is reached.
     */
    enter(client: string, key: string) {
      const use = currentUse(client)
      // Transfers that are still running count too.
      const files = use.files + openCountOf(`visitor ${client}`)
      if (files >= hourly.files || use.bytes >= hourly.bytes)
        throw createRefusal(Math.ceil((use.until - now()) / SECOND))
      const slotLimits = {
        [`visitor ${client}`]: atOnce.visitor,
        [`link ${key}`]: atOnce.link,
        all: atOnce.all,
      }
      for (const [what, most] of Object.entries(slotLimits))
        if (openCountOf(what) >= most) throw createRefusal(RETRY_SECONDS)
      for (const what of Object.keys(slotLimits)) changeCount(what, 1)
      return {
        /** Called for each file or archive, whether it succeeds or not. */
        count(bytes: number) {
          use.files++
          use.bytes += bytes
        },
        [Symbol.dispose]() {
          for (const what of Object.keys(slotLimits)) changeCount(what, -1)
        },
      }
    },
  }
}

/** Seconds after which a visitor may try again if too many transfers are running. */
const RETRY_SECONDS = 5
