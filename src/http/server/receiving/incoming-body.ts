/** The body of a request while it arrives, with backpressure. */
import { compact, Gatherer } from '../sending/memory.ts'

/** Number of unread bytes after which we stop reading from the socket. */
const MAX_UNREAD = 256 * 1024
/**
 * Parts up to this number of bytes are merged while nobody reads, because a part takes more memory than its
 * bytes.
 */
const SMALL_PART = 4 * 1024

/** Starts and stops reading from the socket. */
export interface Valve {
  /** Called when the reader wants more bytes. */
  wanted(): void
  /** Called when there are more unread bytes than we want to hold. */
  full(): void
}

type Part = Uint8Array<ArrayBuffer>
type WaitingRead = PromiseWithResolvers<Part | null>

export class IncomingBody {
  private parts: Part[] = []
  /** Small parts that arrived after `parts`. */
  private small = new Gatherer()
  private unread = 0
  private state: 'open' | 'ended' | 'cut' = 'open'
  private waiting: WaitingRead | null = null

  constructor(private readonly valve: Valve) {}

  /**
   * `bytes` must be the only view of its buffer, because the reader may detach the buffer to free its memory.
   */
  push(bytes: Buffer): void {
    const { waiting } = this
    if (waiting) {
      this.waiting = null
      waiting.resolve(plainPart(bytes))
      return
    }
    this.unread += bytes.length
    if (bytes.length < SMALL_PART) this.small.add(bytes)
    else {
      this.closeSmall()
      this.parts.push(plainPart(bytes))
    }
    if (this.unread > MAX_UNREAD) this.valve.full()
  }

  private closeSmall(): void {
    if (this.small.length > 0) this.parts.push(this.small.take())
  }

  end(): void {
    this.state = 'ended'
    this.waiting?.resolve(null)
  }

  /** Ends the body early: reading it fails, unless it was complete already. */
  breakOff(): void {
    if (this.state !== 'open') return
    this.state = 'cut'
    this.parts = []
    this.small = new Gatherer()
    this.waiting?.reject(cutOff())
  }

  /** The next part; null at the end. Rejects if the connection was lost before the end. */
  async read(): Promise<Part | null> {
    if (this.parts.length === 0) this.closeSmall()
    const part = this.parts.shift()
    if (part) {
      this.unread -= part.length
      if (this.state === 'open' && this.unread < MAX_UNREAD / 2) this.valve.wanted()
      return part
    }
    if (this.state === 'cut') throw cutOff()
    if (this.state === 'ended') return null
    this.waiting ??= Promise.withResolvers()
    this.valve.wanted()
    return this.waiting.promise
  }

  async readAll(): Promise<Part> {
    const all = new Gatherer()
    for (let part = await this.read(); part; part = await this.read()) all.add(part)
    return all.take()
  }

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

/** Converts a buffer to the plain `Uint8Array` that readers expect: `slice` of a `Buffer` does not copy. */
function plainPart(bytes: Buffer): Part {
  const { buffer, byteOffset, length } = compact(bytes)
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length)
}

const cutOff = () => new Error('the connection has ended before the body')
