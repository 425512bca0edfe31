/** The open connections of a server, limited in total and per network; idle ones are closed to make room. */
import type { ConnectionLimits } from '../../base/descriptors.ts'

/**
 * Number of checks without a refusal before refusals are reported again(one minute, see `CHECK_INTERVAL`).
 */
const CALM_CHECKS = 12

/** A connection that can be closed to make room for another one. */
export interface Closable {
  readonly isIdle: boolean
  /** A number that is higher the later the connection was used. */
  readonly lastUse: number
  close(): void
}

/** Reported when there are too many connections. */
export interface Crowd {
  connections: number
  /** The network that has too many connections; undefined if there are too many in total. */
  network?: string
}

export interface ConnectionFigures {
  readonly open: number
  readonly limit: number
  /** The numbers of refused connections, and of idle connections that were closed to make room. */
  readonly refused: number
  readonly closedIdle: number
}

/** `onCrowd` is called when there is no room, and is called again only after a minute with enough room. */
export function createConnections<Each extends Closable>(
  limits: ConnectionLimits,
  onCrowd: (crowd: Crowd) => void,
) {
  const admitted = new Map<Each, string | null>()
  const refused = new Set<Each>()
  const byNetwork = new Map<string, number>()
  const counted = { refused: 0, closedIdle: 0 }
  /** Number of checks since there was no room for a connection. */
  let calm = CALM_CHECKS

  const countOf = (network: string) => byNetwork.get(network) ?? 0

  /** The connection that has been idle longest, within this network if one is given. */
  function longestIdle(network: string | null): Each | null {
    let found: Each | null = null
    for (const [each, itsNetwork] of admitted)
      if (each.isIdle && (network === null || itsNetwork === network))
        if (!found || each.lastUse < found.lastUse) found = each
    return found
  }

  /** Whether there is room for one more; closes an idle connection if necessary. */
  function makeRoom(network: string | null): boolean {
    const isNetworkFull = network !== null && countOf(network) >= limits.perNetwork
    if (!isNetworkFull && admitted.size < limits.all) return true
    if (calm >= CALM_CHECKS) onCrowd({ connections: admitted.size, ...(isNetworkFull && { network }) })
    calm = 0
    const idle = longestIdle(isNetworkFull ? network : null)
    if (!idle) return false
    counted.closedIdle++
    remove(idle)
    idle.close()
    return true
  }

  function remove(each: Each): void {
    const network = admitted.get(each)
    refused.delete(each)
    admitted.delete(each)
    if (!network) return
    const left = countOf(network) - 1
    if (left > 0) byNetwork.set(network, left)
    else byNetwork.delete(network)
  }

  return {
    figures: {
      get open() {
        return admitted.size
      },
      limit: limits.all,
      get refused() {
        return counted.refused
      },
      get closedIdle() {
        return counted.closedIdle
      },
    } satisfies ConnectionFigures as ConnectionFigures,

    /**
     * Adds a connection. `refused`: it is to be answered with a 503. `dropped`: it is to be closed without an
     * answer, as too many are being refused already.
     */
    add(each: Each, network: string | null): 'admitted' | 'refused' | 'dropped' {
      if (makeRoom(network)) {
        admitted.set(each, network)
        if (network !== null) byNetwork.set(network, countOf(network) + 1)
        return 'admitted'
      }
      counted.refused++
      if (refused.size >= limits.refusals) return 'dropped'
      refused.add(each)
      return 'refused'
    },

    remove,

    check(): void {
      calm++
    },

    *[Symbol.iterator](): Generator<Each> {
      yield* admitted.keys()
      yield* refused
    },
  }
}
