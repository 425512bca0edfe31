/**
 * The runtime's own HTTP server (`HTTP_SERVER=bun`), as an adapter for the interface in `http-server.ts`, in
 * case a vulnerability is found in our own server.
 *
 * Differences from our own server:
 * - Requests with an unknown method or an invalid `Host` get a response of the runtime without our error
 *   body.
 * - `Date` may be a second behind.
 * - A stream of known length is sent in chunks, without `Content-Length` (oven-sh/bun#10507).
 * - An answer to HEAD has `Content-Length: 0` if the handler does not set another length.
 * - If a handler sends a whole file, the answer is cut to a single valid `Range` unless `If-Range` forbids
 *   it. Our handlers answer ranges with a 206 themselves.
 * - A client that pipelines requests may be disconnected.
 * - A client that is still sending its body may lose an answer that was given before the end of the body.
 * - Connections are neither limited nor counted: `fundus_connections` stays 0.
 * - A client that closes its sending side (FIN) counts as disconnected, even if its requests were complete.
 * - Malformed requests get the runtime's own bare 400, and some that our server refuses are accepted; a
 *   trailer is read as the next request (docs/http.md).
 * - A client that sends its head or body slowly is disconnected only after a minute without any byte.
 * - `stop` does not wait for requests whose head has not arrived completely.
 * - A plain `Response` with a stream is sent instead of being refused as a bug of its handler.
 * - It serves about half as many small files per second (decision 0032).
 */

import { responseOf } from './answers.ts'
import type { ConnectionCounts } from './connections.ts'
import type { HttpServer, ServerParts } from './http-server.ts'

/** Seconds without any traffic after which a connection is closed. */
const IDLE_SECONDS = 60

const NO_CONNECTION_COUNTS: ConnectionCounts = { open: 0, limit: 0, refused: 0, closedIdle: 0 }

export function startBunServer({ hostname, port, reusePort, fetch, error }: ServerParts): HttpServer {
  let isEnding = false
  const server = Bun.serve({
    hostname,
    port,
    reusePort,
    error,
    idleTimeout: IDLE_SECONDS,
    // There is no limit here, because each route sets its own limit and counts the bytes that arrive.
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
    sendsFiles: false,
    connections: NO_CONNECTION_COUNTS,
    get pendingRequests() {
      return server.pendingRequests
    },
    drain() {
      isEnding = true
    },
    stop(isImmediate = false) {
      isEnding = true
      void server.stop(isImmediate)
    },
  }
}
