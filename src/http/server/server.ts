/**
 * The HTTP server, RFC 9110 and 9112, over the sockets of the runtime. Why it is not the runtime's own: decision 0032.
 *
 * Answers are handed to the system at the end of each turn of the event loop, all of them one after the other. Who waits
 * for them on this machine is then woken once for many; handed over one by one, each wake-up costs as much as the answer.
 */
import { type ConnectionLimits, descriptorLimit, shareOut } from '../../base/descriptors.ts'
import { Connection } from './connection.ts'
import { createConnections } from './connections.ts'
import type { HttpServer, ServerParts } from './http-server.ts'
import { REST_LIMITS, type RestLimits } from './receiving/rest.ts'
import type { Kernel } from './sending/kernel.ts'

/** Milliseconds between two looks at all connections, for those that nothing happens on. */
const LOOK_EVERY = 5_000

/** Milliseconds for which requests that are on their way are waited for at the end. */
const AWAITED = 500

export interface OwnServerParts extends ServerParts {
  /** Sends files; null: they are read and written in pieces. */
  kernel: Kernel | null
  /** Only tests set these. */
  connectionLimits?: ConnectionLimits
  restLimits?: RestLimits
  lookEvery?: number
}

export function startServer(parts: OwnServerParts): HttpServer {
  const limits = parts.connectionLimits ?? shareOut(descriptorLimit()).connections
  const connections = createConnections<Connection>(limits, parts.onCrowd)
  let due: Connection[] = []
  let pending = 0
  let uses = 0
  let ending = false
  /** Connections on which a first request is waited for at the end. */
  let awaited = 0

  function pumpAll(): void {
    const now = due
    due = []
    for (const connection of now) attempt(connection, 'pump')
  }

  /** One connection must not hold up all others. */
  function attempt(connection: Connection, work: 'pump' | 'look'): void {
    try {
      connection[work]()
    } catch (error) {
      connection.fail()
      parts.error(error)
    }
  }

  const around = {
    kernel: parts.kernel,
    restLimits: parts.restLimits ?? REST_LIMITS,
    ...{ fetch: parts.fetch, error: parts.error, refuse: parts.refuse },
    isEnding: () => ending,
    nextUse: () => ++uses,
    begun: () => void pending++,
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
        else if (outcome === 'dropped') connection.giveUp()
      },
      data: (socket, bytes) => socket.data.came(bytes),
      drain: socket => socket.data.hasRoom(),
      end: socket => socket.data.cameToEnd(),
      close(socket) {
        connections.remove(socket.data)
        socket.data.closed()
      },
      error(socket, error) {
        parts.error(error)
        socket.terminate()
      },
    },
  })
  const looking = setInterval(() => {
    connections.look()
    for (const connection of [...connections]) attempt(connection, 'look')
  }, parts.lookEvery ?? LOOK_EVERY)
  looking.unref()

  function finishAll(): void {
    const arriving: Connection[] = []
    for (const connection of [...connections])
      if (connection.isAwaited()) arriving.push(connection)
      else connection.finish()
    awaited = arriving.length
    if (awaited > 0) setTimeout(endAwaiting, AWAITED, arriving)
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
      if (now) clearInterval(looking)
      else finishAll()
    },
  }
}
