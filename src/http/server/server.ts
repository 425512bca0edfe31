/**
 * Our own HTTP server (RFC 9110 and 9112) on the runtime's sockets. Decision 0032 gives the reasons for it.
 *
 * Answers are written at the end of each event loop iteration, one connection after the other. A local client
 * is then woken once for many answers; waking it for each costs as much as the answer.
 */
import { type ConnectionLimits, descriptorLimit, shareOut } from '../../base/descriptors.ts'
import { Connection } from './connection.ts'
import { createConnections } from './connections.ts'
import type { HttpServer, ServerParts } from './http-server.ts'
import { REST_LIMITS, type RestLimits } from './receiving/rest.ts'
import type { SendfileCalls } from './sending/sendfile.ts'

/** Milliseconds between two checks of all connections. */
const CHECK_INTERVAL = 5_000

/**
 * Milliseconds for which a stopping server waits for incomplete requests and for clients that have just
 * connected.
 */
const STOP_GRACE = 500

export interface OwnServerParts extends ServerParts {
  /** Null: files are read and written in pieces instead of being sent with `sendfile`. */
  sendfileCalls: SendfileCalls | null
  /** The following options are set only by tests. */
  connectionLimits?: ConnectionLimits
  restLimits?: RestLimits
  checkInterval?: number
}

export function startServer(parts: OwnServerParts): HttpServer {
  const limits = parts.connectionLimits ?? shareOut(descriptorLimit()).connections
  const connections = createConnections<Connection>(limits, parts.onCrowd)
  let due: Connection[] = []
  let pending = 0
  let uses = 0
  let ending = false
  /** Number of connections whose request is arriving while the server stops. */
  let awaited = 0

  function pumpAll(): void {
    const now = due
    due = []
    for (const connection of now) attempt(connection, 'pump')
  }

  /** An error of one connection must not stop the others. */
  function attempt(connection: Connection, work: 'pump' | 'check'): void {
    try {
      connection[work]()
    } catch (error) {
      connection.fail()
      parts.error(error)
    }
  }

  const around = {
    sendfileCalls: parts.sendfileCalls,
    restLimits: parts.restLimits ?? REST_LIMITS,
    ...{ fetch: parts.fetch, error: parts.error, refuse: parts.refuse },
    isEnding: () => ending,
    nextUse: () => ++uses,
    onRequest: () => void pending++,
    answered: () => void pending--,
    schedule(connection: Connection) {
      if (due.push(connection) === 1) setImmediate(pumpAll)
    },
  }

  const { hostname, port, reusePort } = parts
  const listener = Bun.listen<Connection>({
    ...{ hostname, port, reusePort },
    allowHalfOpen: true,
    socket: {
      open(socket) {
        const connection = new Connection(socket, around)
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
  const checking = setInterval(() => {
    connections.check()
    for (const connection of [...connections]) attempt(connection, 'check')
  }, parts.checkInterval ?? CHECK_INTERVAL)
  checking.unref()

  function finishAll(): void {
    const arriving: Connection[] = []
    for (const connection of [...connections])
      if (connection.isAwaited()) arriving.push(connection)
      else connection.finish()
    awaited = arriving.length
    if (awaited > 0) setTimeout(endAwaiting, STOP_GRACE, arriving)
  }

  function endAwaiting(arriving: Connection[]): void {
    awaited = 0
    for (const connection of arriving) connection.finish()
  }

  return {
    port: listener.port,
    connections: connections.figures,
    get pendingRequests() {
      return pending + awaited
    },
    drain() {
      ending = true
    },
    stop(now = false) {
      ending = true
      listener.stop(now)
      if (now) clearInterval(checking)
      else finishAll()
    },
  }
}
