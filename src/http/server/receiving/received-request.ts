/**
 * A request that our own server has received. Creating a `Request` of the runtime would cost more than
 * serving a small file.
 */
import type { PeerRequest } from '../http-server.ts'
import type { Fields } from './fields.ts'
import type { IncomingBody } from './incoming-body.ts'
import type { RequestHead } from './request-head.ts'

/** A URL needs a host, but nobody reads the host of these URLs. */
const ORIGIN = 'http://host'

export class ReceivedRequest implements PeerRequest {
  readonly method: string
  readonly url: string
  readonly headers: Fields
  private gone = false
  private control: AbortController | null = null
  private stream: ReadableStream<Uint8Array> | null = null

  constructor(
    { method, target, headers }: RequestHead,
    private readonly incoming: IncomingBody | null,
    private readonly socket: Bun.Socket<unknown>,
  ) {
    this.method = method
    this.url = ORIGIN + target
    this.headers = headers
  }

  get peer(): string {
    return this.socket.remoteAddress ?? ''
  }

  get signal(): AbortSignal {
    if (!this.control) {
      this.control = new AbortController()
      if (this.gone) this.control.abort()
    }
    return this.control.signal
  }

  get body(): ReadableStream<Uint8Array> | null {
    this.stream ??= this.incoming?.stream() ?? null
    return this.stream
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.incoming ? this.incoming.readAll() : new Uint8Array()
  }

  /** Called when the client has disconnected. */
  abandon(): void {
    this.gone = true
    this.control?.abort()
    this.incoming?.breakOff()
  }
}
