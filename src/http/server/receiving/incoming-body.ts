/** The body of a request while it arrives: what has come and was not read yet. */
import { compact, Gatherer } from '../sending/memory.ts'

/** Bytes that may lie unread before the connection is told to send no more. */
const UNREAD_MOST = 256 * 1024
/** Parts below this length are gathered while nobody reads: one by one each would take more memory than its bytes. */
const SMALL_PART = 4 * 1024

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
  /** What has come behind `parts`. */
  private small = new Gatherer()
  private unread = 0
  private state: 'open' | 'ended' | 'cut' = 'open'
  private waiting: Waiting | null = null

  constructor(private readonly valve: Valve) {}

  /** `bytes` have their memory to themselves: whoever reads them may free it. */
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
    if (this.unread > UNREAD_MOST) this.valve.full()
  }

  private closeSmall(): void {
    if (this.small.length > 0) this.parts.push(this.small.take())
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
    this.small = new Gatherer()
    this.waiting?.reject(cutOff())
  }

  /** The next part; null behind the last one. Rejects when the connection is gone before. */
  async read(): Promise<Part | null> {
    if (this.parts.length === 0) this.closeSmall()
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
    const all = new Gatherer()
    for (let part = await this.read(); part; part = await this.read()) all.add(part)
    return all.take()
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

/** A `Buffer` is not what readers expect: its `slice` shares the memory. */
function plainPart(bytes: Buffer): Part {
  const { buffer, byteOffset, length } = compact(bytes)
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length)
}

const cutOff = () => new Error('the connection has ended before the body')
