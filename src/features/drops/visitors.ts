/**
 * Limits what visitors of drop links may do at the same time, before a body is read: no visitor can block the
 * others, and all of them together leave capacity for the rest of the service. Counted per process.
 */
import { GIGABYTE, HOUR, SECOND } from '../../contract/values/units.ts'
import { failure } from '../../errors/errors.ts'

export const VISITOR_LIMITS = {
  /** Maximum concurrent uploads per visitor network, per link, and in total. */
  atOnce: { visitor: 6, link: 24, all: 48 },
  /** Maximum files and bytes per visitor network and hour. */
  hourly: { files: 2000, bytes: 8 * GIGABYTE },
} as const

export type Visitors = ReturnType<typeof createVisitors>

interface Spent {
  until: number
  files: number
  bytes: number
}

export function createVisitors({ now }: { now: () => number }) {
  const open = new Map<string, number>()
  const spent = new Map<string, Spent>()
  const openOf = (what: string) => open.get(what) ?? 0

  function change(what: string, by: 1 | -1): void {
    const count = openOf(what) + by
    if (count === 0) open.delete(what)
    else open.set(what, count)
  }

  /** Also removes expired entries, so that the map holds only recent visitors. */
  function hourOf(client: string): Spent {
    for (const [each, { until }] of spent) if (until <= now() || until > now() + HOUR) spent.delete(each)
    const hour = spent.get(client) ?? { until: now() + HOUR, files: 0, bytes: 0 }
    spent.set(client, hour)
    return hour
  }

  return {
    /** Throws with 429 if a limit is reached. The caller disposes of the slot. */
    enter(client: string, key: string) {
      const { atOnce, hourly } = VISITOR_LIMITS
      const hour = hourOf(client)
      if (hour.files >= hourly.files || hour.bytes >= hourly.bytes)
        throw failure.dropsCrowded(Math.ceil((hour.until - now()) / SECOND))
      const places = { [`visitor ${client}`]: atOnce.visitor, [`link ${key}`]: atOnce.link, all: atOnce.all }
      for (const [what, most] of Object.entries(places))
        if (openOf(what) >= most) throw failure.dropsCrowded(BUSY_SECONDS)
      for (const what of Object.keys(places)) change(what, 1)
      return {
        /** Called for each file, stored or refused. */
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

/** Seconds after which a visitor may try again if too many are sending. */
const BUSY_SECONDS = 5
