/**
 * Our own HTTP server (RFC 9110 and 9112) on the runtime's sockets. Decision 0032 gives the reasons for it.
 *
 * Answers are written at the end of each event loop iteration, one connection after the other. A client on
 * the same machine, such as a proxy, then wakes up once for many answers; waking it for each answer would
 * cost as much as the answer itself.
 */
import { type ConnectionLimits, descriptorLimit, divideDescriptors } from '../../base/system/descriptors.ts'
import { Connection } from './connection.ts'
import { createConnections } from './connections.ts'
import type { HttpServer, ServerParts } from './http-server.ts'
import { REMAINDER_LIMITS, type RemainderLimits } from './receiving/body-remainder.ts'
import type { SendfileCalls } from './sending/sendfile.ts'

/** Milliseconds between two checks of all connections. */
const CHECK_INTERVAL = 5_000

/**
 * Milliseconds for which a stopping server waits for incomplete requests and for clients that have just
 * connected.
 */
const STOP_GRACE_PERIOD = 500

export interface OwnServerParts extends ServerParts {
  /** Null: the server reads files in pieces and writes these to the socket, instead of calling `sendfile`. */
  sendfileCalls: SendfileCalls | null
  /** The following options are set only by tests. */
  connectionLimits?: ConnectionLimits
  remainderLimits?: RemainderLimits
  checkInterval?: number
}

export function startServer(parts: OwnServerParts): HttpServer {
  const limits = parts.connectionLimits ?? divideDescriptors(descriptorLimit()).connections
  const connections = createConnections<Connection>(limits, parts.onOverload)
  let dueConnections: Connection[] = []
  let pendingCount = 0
  let useCount = 0
  let isEnding = false
  /** Number of connections on which a request is probably arriving while the server stops. */
  let awaitedCount = 0

  function pumpAll(): void {
    const connectionsToPump = dueConnections
    dueConnections = []
    for (const connection of connectionsToPump) attempt(connection, 'pump')
  }

  /** An error of one connection must not stop the others. */
  function attempt(connection: Connection, method: 'pump' | 'check'): void {
    try {
      connection[method]()
    } catch (error) {
      connection.fail()
      parts.error(error)
    }
  }

  const connectionParts = {
    sendfileCalls: parts.sendfileCalls,
    remainderLimits: parts.remainderLimits ?? REMAINDER_LIMITS,
    fetch: parts.fetch,
    error: parts.error,
    refuse: parts.refuse,
    isEnding: () => isEnding,
    nextUse: () => ++useCount,
    onRequest: () => void pendingCount++,
    onAnswered: () => void pendingCount--,
    schedule(connection: Connection) {
      if (dueConnections.push(connection) === 1) setImmediate(pumpAll)
    },
  }

  const { hostname, port, reusePort } = parts
  const listener = Bun.listen<Connection>({
    // Spread, because the type of the options lacks `reusePort`.
    ...{ hostname, port, reusePort },
    allowHalfOpen: true,
    socket: {
      open(socket) {
        const connection = new Connection(socket, connectionParts)
        socket.data = connection
        const outcome = connections.add(connection, parts.networkOf(socket.remoteAddress ?? ''))
        if (outcome === 'refused') connection.refuse('too-many-connections')
        else if (outcome === 'dropped') connection.close()
      },
      data: (socket, bytes) => socket.data.onData(bytes),
      drain: socket => socket.data.onDrain(),
      end: socket => socket.data.onClientEnd(),
      close(socket) {
        connections.remove(socket.data)
        socket.data.onClose()
      },
      error(socket, error) {
        parts.error(error)
        socket.terminate()
      },
    },
  })
  const checkTimer = setInterval(() => {
    connections.countCheck()
    for (const connection of [...connections]) attempt(connection, 'check')
  }, parts.checkInterval ?? CHECK_INTERVAL)
  checkTimer.unref()

  function finishAll(): void {
    const awaitedConnections: Connection[] = []
    for (const connection of [...connections])
      if (connection.isRequestExpected()) awaitedConnections.push(connection)
      else connection.finish()
    awaitedCount = awaitedConnections.length
    if (awaitedCount > 0) setTimeout(endAwaiting, STOP_GRACE_PERIOD, awaitedConnections)
  }

  function endAwaiting(awaitedConnections: Connection[]): void {
    awaitedCount = 0
    for (const connection of awaitedConnections) connection.finish()
  }

  return {
    port: listener.port,
    sendsFiles: parts.sendfileCalls !== null,
    connections: connections.counts,
    get pendingRequests() {
      return pendingCount + awaitedCount
    },
    drain() {
      isEnding = true
    },
    stop(isImmediate = false) {
      isEnding = true
      listener.stop(isImmediate)
      if (isImmediate) clearInterval(checkTimer)
      else finishAll()
    },
  }
}
