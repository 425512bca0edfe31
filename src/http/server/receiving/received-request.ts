/**
 * A request that our own server has received. Creating a `Request` of the runtime would cost more than
 * serving a small file.
 */
import type { PeerRequest } from '../http-server.ts'
import type { HeaderFields } from './fields.ts'
import type { IncomingBody } from './incoming-body.ts'
import type { RequestHead } from './request-head.ts'

/** The origin of every `url`: a URL needs one, but no handler reads it. */
const PLACEHOLDER_ORIGIN = 'http://host'

export class ReceivedRequest implements PeerRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderFields
  private isAbandoned = false
  private abortController: AbortController | null = null
  private stream: ReadableStream<Uint8Array> | null = null

  constructor(
    { method, target, headers }: RequestHead,
    private readonly incomingBody: IncomingBody | null,
    private readonly socket: Bun.Socket<unknown>,
  ) {
    this.method = method
    this.url = PLACEHOLDER_ORIGIN + target
    this.headers = headers
  }

  get peer(): string {
    return this.socket.remoteAddress ?? ''
  }

  get signal(): AbortSignal {
    if (!this.abortController) {
      this.abortController = new AbortController()
      if (this.isAbandoned) this.abortController.abort()
    }
    return this.abortController.signal
  }

  get body(): ReadableStream<Uint8Array> | null {
    this.stream ??= this.incomingBody?.stream() ?? null
    return this.stream
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.incomingBody ? this.incomingBody.readAll() : new Uint8Array()
  }

  /**
   * Called when the client has disconnected, or the server refuses the request after its head has arrived.
   */
  abandon(): void {
    this.isAbandoned = true
    this.abortController?.abort()
    this.incomingBody?.breakOff()
  }
}
