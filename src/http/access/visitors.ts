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

/** Maximum number of networks whose hourly use is remembered. */
export const MAX_REMEMBERED_NETWORKS = 10_000

export type Visitors = ReturnType<typeof createVisitors>

interface Spent {
  until: number
  files: number
  bytes: number
}

interface VisitorsParts {
  now: () => number
  limits: VisitorLimits
  /** Makes the refusal with 429, which names the seconds after which another attempt makes sense. */
  crowded: (seconds: number) => Failure
}

export function createVisitors({ now, limits: { atOnce, hourly }, crowded }: VisitorsParts) {
  const open = new Map<string, number>()
  const spent = new Map<string, Spent>()
  const openOf = (what: string) => open.get(what) ?? 0

  function change(what: string, by: 1 | -1): void {
    const count = openOf(what) + by
    if (count === 0) open.delete(what)
    else open.set(what, count)
  }

  /**
   * Whether the hour has not ended. An hour that ends more than an hour from now was written by a wrong
   * clock.
   */
  const isCurrent = ({ until }: Spent) => until > now() && until <= now() + HOUR

  function hourOf(client: string): Spent {
    const known = spent.get(client)
    if (known && isCurrent(known)) return known
    // Entries are in the order in which their hours began: expired ones come first, followed by the oldest
    // ones, which are dropped if there are too many.
    for (const [each, hour] of spent) {
      if (isCurrent(hour) && spent.size < MAX_REMEMBERED_NETWORKS) break
      spent.delete(each)
    }
    const hour = { until: now() + HOUR, files: 0, bytes: 0 }
    spent.delete(client)
    spent.set(client, hour)
    return hour
  }

  return {
    /**
     * Takes a slot for a visitor, which the caller must dispose of. Throws with 429 if a limit is reached.
     */
    enter(client: string, key: string) {
      const hour = hourOf(client)
      // Transfers that are still running count too.
      const files = hour.files + openOf(`visitor ${client}`)
      if (files >= hourly.files || hour.bytes >= hourly.bytes)
        throw crowded(Math.ceil((hour.until - now()) / SECOND))
      const places = { [`visitor ${client}`]: atOnce.visitor, [`link ${key}`]: atOnce.link, all: atOnce.all }
      for (const [what, most] of Object.entries(places)) if (openOf(what) >= most) throw crowded(BUSY_SECONDS)
      for (const what of Object.keys(places)) change(what, 1)
      return {
        /** Called for each file or archive, whether it succeeds or not. */
        count(bytes: number) {
          hour.files++
          hour.bytes += bytes
        },
        [Symbol.dispose]() {
          for (const what of Object.keys(places)) change(what, -1)
        },
      }
    },
  }
}

/** Seconds after which a visitor may try again if too many transfers are running. */
const BUSY_SECONDS = 5
