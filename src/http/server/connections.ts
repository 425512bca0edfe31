/** The open connections of a server: how many there may be in all and per network, and which give way to new ones. */
import type { ConnectionLimits } from '../../base/descriptors.ts'

/** Looks without a connection too many after which the next one is told anew: one minute, see `LOOK_EVERY` in `server.ts`. */
const CALM_LOOKS = 12

/** What can be closed for a new connection. */
export interface Closable {
  /** Whether no request is being answered on it. */
  readonly isIdle: boolean
  /** Grows with each use of any connection. */
  readonly lastUse: number
  /** Closes it at once. */
  giveUp(): void
}

export interface Crowd {
  connections: number
  /** The network that has too many; undefined: there are too many in all. */
  network?: string
}

export interface ConnectionFigures {
  readonly open: number
  readonly limit: number
  /** Connections that were refused, and idle ones that were closed for others. */
  readonly refused: number
  readonly closedIdle: number
}

/** `onCrowd` is called once until there was room for a while. */
export function createConnections<Each extends Closable>(
  limits: ConnectionLimits,
  onCrowd: (crowd: Crowd) => void,
) {
  const admitted = new Map<Each, string | null>()
  const refused = new Set<Each>()
  const byNetwork = new Map<string, number>()
  const counted = { refused: 0, closedIdle: 0 }
  /** Looks since there was a connection too many. */
  let calm = CALM_LOOKS

  const countOf = (network: string) => byNetwork.get(network) ?? 0

  /** The idle connection that was used longest ago; of this network, if there is one. */
  function longestIdle(network: string | null): Each | null {
    let found: Each | null = null
    for (const [each, itsNetwork] of admitted)
      if (each.isIdle && (network === null || itsNetwork === network))
        if (!found || each.lastUse < found.lastUse) found = each
    return found
  }

  /** Whether there is room for one more, for which an idle connection is closed if need be. */
  function makeRoom(network: string | null): boolean {
    const isNetworkFull = network !== null && countOf(network) >= limits.perNetwork
    if (!isNetworkFull && admitted.size < limits.all) return true
    if (calm >= CALM_LOOKS) onCrowd({ connections: admitted.size, ...(isNetworkFull && { network }) })
    calm = 0
    const idle = longestIdle(isNetworkFull ? network : null)
    if (!idle) return false
    counted.closedIdle++
    remove(idle)
    idle.giveUp()
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

    /** `refused`: it is to be told that there are too many. `dropped`: too many are being told so already. */
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

    /** Called every few seconds. */
    look(): void {
      calm++
    },

    *[Symbol.iterator](): Generator<Each> {
      yield* admitted.keys()
      yield* refused
    },
  }
}
