/**
 * The HTTP server of the runtime behind our port: for the day on which a hole is found in ours (`HTTP_SERVER=bun`).
 *
 * It cannot do everything that ours can:
 * - Methods that it does not know, and a `Host` that no address can have, get a bare answer of its own.
 * - `Date` may be a second behind.
 * - A stream of known length goes out in chunks, without `Content-Length` (oven-sh/bun#10507).
 * - A file that the handler sends whole is cut where `Range` is a single valid range and `If-Range` does not forbid it.
 *   Our handlers then answer a 206 themselves.
 * - A client that sends its next request before it has the answer to the last one (pipelining) may be cut off.
 * - An answer given before the end of a body may be lost by a client that is still sending.
 * - Connections are neither limited nor counted, in all or per network: `fundus_connections` stays 0.
 * - A client that ends its sending side (FIN) counts as gone, whole requests included.
 * - Malformed requests get the runtime's own bare 400, and are not refused as strictly.
 * - A slow body or head is only given up when nothing at all comes for a minute.
 * - `stop` does not wait for requests whose head has only begun to come.
 * - A plain `Response` with a stream is sent, and not refused as a mistake of its handler.
 * - It serves about half as many small files per second (decision 0032).
 */
import type { ConnectionFigures } from './connections.ts'
import type { HttpServer, ServerParts } from './http-server.ts'
import { responseOf } from './sending/answers.ts'

/** Seconds without any traffic after which a connection is closed. */
const IDLE_SECONDS = 60

const NOT_COUNTED: ConnectionFigures = { open: 0, limit: 0, refused: 0, closedIdle: 0 }

export function startBunServer({ hostname, port, reusePort, fetch, error }: ServerParts): HttpServer {
  let isEnding = false
  const server = Bun.serve({
    ...{ hostname, port, reusePort, error },
    idleTimeout: IDLE_SECONDS,
    // No limit here: each route sets its own and counts the bytes that really arrive.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      const peer = server.requestIP(request)?.address ?? ''
      const response = responseOf(await fetch(Object.assign(request, { peer })))
      if (isEnding) response.headers.set('Connection', 'close')
      return response
    },
  })
  return {
    port: server.port!,
    connections: NOT_COUNTED,
    get pendingRequests() {
      return server.pendingRequests
    },
    drain() {
      isEnding = true
    },
    stop(now = false) {
      isEnding = true
      void server.stop(now)
    },
  }
}
