/** The body of a request while it arrives: what has come and was not read yet. */

/** Bytes that may lie unread before the connection is told to send no more. */
const UNREAD_MOST = 256 * 1024

export interface Valve {
  /** There is room for more. */
  wanted(): void
  /** More bytes than needed have come. */
  full(): void
}

type Part = Uint8Array<ArrayBuffer>
type Waiting = PromiseWithResolvers<Part | null>

export class IncomingBody {
  private parts: Part[] = []
  private unread = 0
  private state: 'open' | 'ended' | 'cut' = 'open'
  private waiting: Waiting | null = null

  constructor(private readonly valve: Valve) {}

  /** `bytes` have their memory to themselves: whoever reads them may free it. */
  push({ buffer, byteOffset, length }: Buffer): void {
    // A `Buffer` is not what readers expect: its `slice` shares the memory.
    const part = new Uint8Array(buffer as ArrayBuffer, byteOffset, length)
    const { waiting } = this
    if (waiting) {
      this.waiting = null
      waiting.resolve(part)
      return
    }
    this.parts.push(part)
    this.unread += part.length
    if (this.unread > UNREAD_MOST) this.valve.full()
  }

  end(): void {
    this.state = 'ended'
    this.waiting?.resolve(null)
  }

  /** No more comes. A body that has come to its end stays whole. */
  cut(): void {
    if (this.state !== 'open') return
    this.state = 'cut'
    this.parts = []
    this.waiting?.reject(cutOff())
  }

  /** The next part; null behind the last one. Rejects when the connection is gone before. */
  async read(): Promise<Part | null> {
    const part = this.parts.shift()
    if (part) {
      this.unread -= part.length
      if (this.state === 'open' && this.unread < UNREAD_MOST / 2) this.valve.wanted()
      return part
    }
    if (this.state === 'cut') throw cutOff()
    if (this.state === 'ended') return null
    this.waiting ??= Promise.withResolvers()
    this.valve.wanted()
    return this.waiting.promise
  }

  /** Everything, of a body that is short. */
  async readAll(): Promise<Part> {
    const parts: Part[] = []
    for (let part = await this.read(); part; part = await this.read()) parts.push(part)
    return parts.length === 1 ? parts[0]! : new Uint8Array(Buffer.concat(parts))
  }

  /** As the standard hands on a body. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async controller => {
          const part = await this.read()
          if (part) controller.enqueue(part)
          else controller.close()
        },
      },
      { highWaterMark: 0 },
    )
  }
}

const cutOff = () => new Error('the connection has ended before the body')
