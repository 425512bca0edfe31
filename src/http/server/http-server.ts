/**
 * The interface that the service expects of an HTTP server. `HTTP_SERVER` chooses between two adapters, our
 * own (`server.ts`) and the runtime's (`bun-server.ts`); both pass the suite in test/conformance.
 */

import type { Answer } from './answers.ts'
import type { ConnectionCounts, Overload } from './connections.ts'

/** The part of the standard's `Request` that both adapters provide. */
export interface IncomingRequest {
  readonly method: string
  /** Only its path and query may be used: the host that the client asked for is in the headers. */
  readonly url: string
  readonly headers: Pick<Headers, 'get' | 'has'> & { keys(): IterableIterator<string> }
  /** Aborted if the client disconnects, or the server refuses the request, before the answer was sent. */
  readonly signal: AbortSignal
  readonly body: ReadableStream<Uint8Array> | null
  /** Reads the whole body into memory. The caller must check the announced length first. */
  bytes(): Promise<Uint8Array>
}

export interface PeerRequest extends IncomingRequest {
  /** The address of the other end of the connection. */
  readonly peer: string
}

export interface RequestHandlers {
  fetch(request: PeerRequest): Answer | Promise<Answer>
  /**
   * Makes the answer to an error of a handler, or of reading the body of its answer. The server also reports
   * its own errors here and then ignores the answer.
   */
  error(error: unknown): Response
  /** Makes the answer to a request or a connection that the server itself refuses. */
  refuse(refusal: Refusal): Response
}

export type Refusal =
  | 'malformed'
  | 'chunks-broken'
  | 'head-too-large'
  | 'version-unknown'
  | 'too-slow'
  | 'too-many-connections'

export interface ServerParts extends RequestHandlers {
  hostname: string
  port: number
  /** Whether other processes may listen on the same port. */
  reusePort: boolean
  /**
   * The network of an address. All connections of a network are limited together; null: a connection from
   * this address counts only towards the total.
   */
  networkOf(address: string): string | null
  /**
   * Called when a limit of connections is reached: an idle connection is then closed, or else the new one is
   * refused. It is called again only after a minute in which no limit was reached.
   */
  onOverload(overload: Overload): void
}

export interface HttpServer {
  readonly port: number
  /** Whether the kernel sends files from open descriptors, so that keeping files open is worth it. */
  readonly sendsFiles: boolean
  readonly connections: ConnectionCounts
  /**
   * Number of requests whose answers are not completely sent. While the server stops, requests that are still
   * arriving count too.
   */
  readonly pendingRequests: number
  /** Makes every connection close after its next answer. */
  drain(): void
  /**
   * Stops listening. If `isImmediate` is true, closes the open connections; otherwise running requests may
   * finish.
   */
  stop(isImmediate?: boolean): void
}
