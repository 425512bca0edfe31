/**
 * The port that the service expects of an HTTP server. `HTTP_SERVER` chooses between two adapters, our own
 * (`server.ts`) and the runtime's (`bun-server.ts`); both pass the suite in test/conformance.
 */
import type { ConnectionFigures, Overload } from './connections.ts'
import type { Answer } from './sending/answers.ts'

/** The part of the standard's `Request` that both adapters provide. */
export interface IncomingRequest {
  readonly method: string
  /** Its path and query are the ones that the client sent; the requested host is only in the headers. */
  readonly url: string
  readonly headers: Pick<Headers, 'get' | 'has'> & { keys(): IterableIterator<string> }
  /** Aborted if the client disconnects before it is answered. */
  readonly signal: AbortSignal
  readonly body: ReadableStream<Uint8Array> | null
  /** Reads the whole body into memory. The caller must check the announced length first. */
  bytes(): Promise<Uint8Array>
}

export interface PeerRequest extends IncomingRequest {
  /** The address of the other end of the connection. */
  readonly peer: string
}

export interface Handlers {
  fetch(request: PeerRequest): Answer | Promise<Answer>
  /**
   * Makes the answer to an error that a handler threw, or that reading a body threw after its answer began.
   */
  error(error: unknown): Response
  /** Makes the answer to a request that is refused before any handler is called. */
  refuse(refusal: Refusal): Response
}

export type Refusal =
  | 'malformed'
  | 'chunks-broken'
  | 'head-too-large'
  | 'version-unknown'
  | 'too-slow'
  | 'too-many-connections'

export interface ServerParts extends Handlers {
  hostname: string
  port: number
  /** Whether other processes may listen on the same port. */
  reusePort: boolean
  /**
   * The client's network, whose connections are limited together; null: they count only towards the total.
   */
  networkOf(address: string): string | null
  /** Called when there are too many connections: idle ones are closed first, then new ones are refused. */
  onOverload(crowd: Overload): void
}

export interface HttpServer {
  readonly port: number
  readonly connections: ConnectionFigures
  /**
   * Number of requests whose answers are not completely sent. While the server stops, requests that are still
   * arriving count too.
   */
  readonly pendingRequests: number
  /** Makes every connection close after its next answer. */
  drain(): void
  /** Stops listening. If `isImmediate` is true, also closes the open connections. */
  stop(isImmediate?: boolean): void
}
