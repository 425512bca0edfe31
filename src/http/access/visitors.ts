/**
 * Limits what visitors of public links may transfer, at the same time and per hour: no visitor can block the
 * others, and all of them together leave capacity for the rest of the service. Each process keeps its own
 * counts.
 */
import { HOUR, SECOND } from '../../contract/values/units.ts'
import type { Failure } from '../../errors/failure.ts'

export interface VisitorLimits {
  /** Maximum concurrent transfers per visitor network, per link, and in total. */
  concurrent: { visitor: number; link: number; all: number }
  /** Maximum transfers and bytes per visitor network and hour. */
  hourly: { files: number; bytes: number }
}

/** Maximum number of visitor networks whose hourly use is kept in memory. */
export const MAX_REMEMBERED_NETWORKS = 10_000

export type VisitorLimiter = ReturnType<typeof createVisitorLimiter>

interface HourlyUse {
  endsAt: number
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
  limits: { concurrent, hourly },
  createRefusal,
}: VisitorLimiterParts) {
  const transferCounts = new Map<string, number>()
  const useByNetwork = new Map<string, HourlyUse>()
  const transferCountOf = (counterKey: string) => transferCounts.get(counterKey) ?? 0

  function changeCount(slot: string, delta: 1 | -1): void {
    const count = transferCountOf(slot) + delta
    if (count === 0) transferCounts.delete(slot)
    else transferCounts.set(slot, count)
  }

  /**
   * Whether the hour of the entry is still running. If it ends more than an hour from now, it was written
   * while the clock was wrong, and the entry does not count.
   */
  const isCurrent = ({ endsAt }: HourlyUse) => endsAt > now() && endsAt <= now() + HOUR

  function currentUse(visitorNetwork: string): HourlyUse {
    const knownUse = useByNetwork.get(visitorNetwork)
    if (knownUse && isCurrent(knownUse)) return knownUse
    // The entries are in the order in which their hours began. Expired entries are deleted, and if there are
    // still too many, the oldest ones too.
    for (const [network, oldUse] of useByNetwork) {
      if (isCurrent(oldUse) && useByNetwork.size < MAX_REMEMBERED_NETWORKS) break
      useByNetwork.delete(network)
    }
    const newUse = { endsAt: now() + HOUR, files: 0, bytes: 0 }
    useByNetwork.delete(visitorNetwork)
    useByNetwork.set(visitorNetwork, newUse)
    return newUse
  }

  return {
    /**
     * Admits one transfer of a visitor; the caller must dispose of the result when the transfer has ended.
     * Throws 429 if a limit is reached.
     */
    beginTransfer(visitorNetwork: string, linkKey: string) {
      const usage = currentUse(visitorNetwork)
      // Transfers that are still running count too.
      const fileCount = usage.files + transferCountOf(`visitor ${visitorNetwork}`)
      if (fileCount >= hourly.files || usage.bytes >= hourly.bytes)
        throw createRefusal(Math.ceil((usage.endsAt - now()) / SECOND))
      const slotLimits = {
        [`visitor ${visitorNetwork}`]: concurrent.visitor,
        [`link ${linkKey}`]: concurrent.link,
        all: concurrent.all,
      }
      for (const [slot, limit] of Object.entries(slotLimits))
        if (transferCountOf(slot) >= limit) throw createRefusal(RETRY_SECONDS)
      for (const slot of Object.keys(slotLimits)) changeCount(slot, 1)
      return {
        /** Called for each file or archive, whether its transfer succeeds or not. */
        recordTransfer(bytes: number) {
          usage.files++
          usage.bytes += bytes
        },
        [Symbol.dispose]() {
          for (const slot of Object.keys(slotLimits)) changeCount(slot, -1)
        },
      }
    },
  }
}

/** Seconds after which a visitor may try again if too many transfers are running. */
const RETRY_SECONDS = 5
