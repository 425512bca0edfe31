/**
 * The port: what the service needs of an HTTP server. Two adapters implement it, ours (`server.ts`) and one over the
 * server of the runtime (`bun-server.ts`), between which `HTTP_SERVER` chooses; test/conformance holds for both.
 */
import type { ConnectionFigures, Crowd } from './connections.ts'
import type { Answer } from './sending/answers.ts'

/** The part of the standard's `Request` that handlers use: nothing that one of the adapters does not have. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query are the client's; the host it has asked stands in the headers. */
  readonly url: string
  readonly headers: Pick<Headers, 'get' | 'has'> & { keys(): IterableIterator<string> }
  /** Aborted when the client has gone before its answer. */
  readonly signal: AbortSignal
  readonly body: ReadableStream<Uint8Array> | null
  /** The whole body, for one that is short. */
  bytes(): Promise<Uint8Array>
}

export interface PeerRequest extends IncomingRequest {
  /** The address of the other end of the connection. */
  readonly peer: string
}

export interface Handlers {
  fetch(request: PeerRequest): Answer | Promise<Answer>
  /** Makes the answer for an error that a handler has thrown, or that came after it had answered. */
  error(error: unknown): Response
  /** Makes the answer for a request that no handler gets to see. */
  refuse(refusal: Refusal): Response
}

/** Why the server itself refuses a request. */
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
  /** Whether other processes that say so too may listen there as well. */
  reusePort: boolean
  /** The network of a client by its address; null: its connections are only limited together with all others. */
  networkOf(address: string): string | null
  /** Called when there are too many connections: idle ones are closed first, then new ones are refused. */
  onCrowd(crowd: Crowd): void
}

export interface HttpServer {
  readonly port: number
  readonly connections: ConnectionFigures
  /** Requests whose answers were not yet handed to the system to their end, and those that are waited for at the end. */
  readonly pendingRequests: number
  /** From now on every connection ends with its next answer. */
  drain(): void
  /** Takes no more connections; `now`: ends those that are there too. */
  stop(now?: boolean): void
}
