/** The body of a request while it arrives, with backpressure. */
import { ByteCollector, compactBytes } from '../sending/memory.ts'

/** Number of unread bytes above which we stop reading from the socket. */
const MAX_UNREAD_BYTES = 256 * 1024
/** Parts with fewer bytes are merged while nobody reads, because a part takes more memory than its bytes. */
const SMALL_PART_BYTES = 4 * 1024

/** Callbacks with which the body starts and stops reading from the socket. */
export interface FlowControl {
  /** Called when the reader wants more bytes. */
  onWanted(): void
  /** Called when there are more than `MAX_UNREAD_BYTES` unread bytes. */
  onFull(): void
}

type BodyPart = Uint8Array<ArrayBuffer>
type WaitingRead = PromiseWithResolvers<BodyPart | null>

export class IncomingBody {
  private parts: BodyPart[] = []
  /** Small parts that arrived after the last one in `parts`, merged. */
  private smallParts = new ByteCollector()
  private unreadBytes = 0
  private state: 'open' | 'ended' | 'cut' = 'open'
  private waitingRead: WaitingRead | null = null

  constructor(private readonly flowControl: FlowControl) {}

  /**
   * `bytes` must be the only view of its buffer, because the reader may detach the buffer to free its memory.
   */
  push(bytes: Buffer): void {
    const { waitingRead } = this
    if (waitingRead) {
      this.waitingRead = null
      waitingRead.resolve(toPlainPart(bytes))
      return
    }
    this.unreadBytes += bytes.length
    if (bytes.length < SMALL_PART_BYTES) this.smallParts.add(bytes)
    else {
      this.flushSmallParts()
      this.parts.push(toPlainPart(bytes))
    }
    if (this.unreadBytes > MAX_UNREAD_BYTES) this.flowControl.onFull()
  }

  private flushSmallParts(): void {
    if (this.smallParts.length > 0) this.parts.push(this.smallParts.take())
  }

  end(): void {
    this.state = 'ended'
    this.waitingRead?.resolve(null)
  }

  /** Ends the body early: reading it fails, unless it had arrived completely. */
  breakOff(): void {
    if (this.state !== 'open') return
    this.state = 'cut'
    this.parts = []
    this.smallParts = new ByteCollector()
    this.waitingRead?.reject(cutOffError())
  }

  /** The next part; null at the end. Rejects if the body was broken off. */
  async read(): Promise<BodyPart | null> {
    if (this.parts.length === 0) this.flushSmallParts()
    const part = this.parts.shift()
    if (part) {
      this.unreadBytes -= part.length
      if (this.state === 'open' && this.unreadBytes < MAX_UNREAD_BYTES / 2) this.flowControl.onWanted()
      return part
    }
    if (this.state === 'cut') throw cutOffError()
    if (this.state === 'ended') return null
    this.waitingRead ??= Promise.withResolvers()
    this.flowControl.onWanted()
    return this.waitingRead.promise
  }

  async readAll(): Promise<BodyPart> {
    const wholeBody = new ByteCollector()
    for (let part = await this.read(); part; part = await this.read()) wholeBody.add(part)
    return wholeBody.take()
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

/**
 * Converts a `Buffer` to a plain `Uint8Array`, because readers expect `slice` to copy; the `slice` of a
 * `Buffer` does not.
 */
function toPlainPart(bytes: Buffer): BodyPart {
  const { buffer, byteOffset, length } = compactBytes(bytes)
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length)
}

const cutOffError = () => new Error('the connection has ended before the body')
