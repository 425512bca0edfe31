/** The open connections of a server, limited in total and per network; idle ones are closed to make room. */
import type { ConnectionLimits } from '../../base/system/descriptors.ts'

/**
 * Number of checks, one minute in all (`CHECK_INTERVAL` in `server.ts`), after which the next overload is
 * reported again, if no connection has exceeded a limit meanwhile.
 */
const CALM_CHECKS = 12

/** A connection that can be closed to make room for another one. */
export interface ClosableConnection {
  readonly isIdle: boolean
  /** A number that is higher for a connection that was used later. */
  readonly lastUse: number
  close(): void
}

/** A report that a limit of connections was reached. `connections`: the number of open ones. */
export interface Overload {
  connections: number
  /** The network that has too many connections; undefined if there are too many in total. */
  network?: string
}

export interface ConnectionCounts {
  readonly open: number
  readonly limit: number
  readonly refused: number
  /** Number of idle connections that were closed to make room. */
  readonly closedIdle: number
}

/**
 * `onOverload` is called when a connection exceeds a limit, unless another connection exceeded one within the
 * last minute.
 */
export function createConnections<Connection extends ClosableConnection>(
  limits: ConnectionLimits,
  onOverload: (overload: Overload) => void,
) {
  const admittedConnections = new Map<Connection, string | null>()
  const refusedConnections = new Set<Connection>()
  const countByNetwork = new Map<string, number>()
  const counters = { refused: 0, closedIdle: 0 }
  /** Number of checks since a connection last exceeded a limit. */
  let calmChecks = CALM_CHECKS

  const countOf = (network: string) => countByNetwork.get(network) ?? 0

  /** The connection that has been idle longest, within this network if one is given; null if none is idle. */
  function findLongestIdle(network: string | null): Connection | null {
    let longestIdle: Connection | null = null
    for (const [connection, connectionNetwork] of admittedConnections)
      if (connection.isIdle && (network === null || connectionNetwork === network))
        if (!longestIdle || connection.lastUse < longestIdle.lastUse) longestIdle = connection
    return longestIdle
  }

  /** Whether one more connection is within the limits; closes an idle connection if necessary. */
  function makeRoom(network: string | null): boolean {
    const isNetworkFull = network !== null && countOf(network) >= limits.perNetwork
    if (!isNetworkFull && admittedConnections.size < limits.total) return true
    if (calmChecks >= CALM_CHECKS)
      onOverload({ connections: admittedConnections.size, ...(isNetworkFull && { network }) })
    calmChecks = 0
    const idleConnection = findLongestIdle(isNetworkFull ? network : null)
    if (!idleConnection) return false
    counters.closedIdle++
    remove(idleConnection)
    idleConnection.close()
    return true
  }

  function remove(connection: Connection): void {
    const network = admittedConnections.get(connection)
    refusedConnections.delete(connection)
    admittedConnections.delete(connection)
    if (!network) return
    const remainingCount = countOf(network) - 1
    if (remainingCount > 0) countByNetwork.set(network, remainingCount)
    else countByNetwork.delete(network)
  }

  return {
    counts: {
      get open() {
        return admittedConnections.size
      },
      limit: limits.total,
      get refused() {
        return counters.refused
      },
      get closedIdle() {
        return counters.closedIdle
      },
    } satisfies ConnectionCounts as ConnectionCounts,

    /**
     * Adds a connection. `refused`: the caller must answer it with a 503. `dropped`: the caller must close it
     * without an answer, because too many other connections are being refused at the moment.
     */
    add(connection: Connection, network: string | null): 'admitted' | 'refused' | 'dropped' {
      if (makeRoom(network)) {
        admittedConnections.set(connection, network)
        if (network !== null) countByNetwork.set(network, countOf(network) + 1)
        return 'admitted'
      }
      counters.refused++
      if (refusedConnections.size >= limits.refusals) return 'dropped'
      refusedConnections.add(connection)
      return 'refused'
    },

    remove,

    countCheck(): void {
      calmChecks++
    },

    *[Symbol.iterator](): Generator<Connection> {
      yield* admittedConnections.keys()
      yield* refusedConnections
    },
  }
}
