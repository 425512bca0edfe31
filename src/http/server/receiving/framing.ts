/** Reads the body of a request from the bytes of its connection, RFC 9112 sections 6 and 7. */
import { compact, Gatherer, joinBytes } from '../sending/memory.ts'
import { parseFields } from './request-head.ts'

/** The received bytes are not a valid body. */
export class FramingError extends Error {}

export interface TakenBytes {
  /**
   * Number of bytes that belong to the body and its framing; the bytes after them belong to the next request.
   */
  taken: number
  /** The body's data, in memory of its own; may be empty. */
  part: Buffer
}

export interface Framing {
  readonly ended: boolean
  take(bytes: Buffer): TakenBytes
}

export const framingOf = (length: number | 'chunked'): Framing =>
  length === 'chunked' ? new ChunkedFraming() : new LengthFraming(length)

class LengthFraming implements Framing {
  constructor(private left: number) {}

  get ended(): boolean {
    return this.left === 0
  }

  take(bytes: Buffer): TakenBytes {
    const taken = Math.min(bytes.length, this.left)
    this.left -= taken
    // The reader of the body may free this memory, so it must contain nothing else.
    return { taken, part: taken === bytes.length ? bytes : joinBytes(bytes.subarray(0, taken)) }
  }
}

/** Maximum bytes of a chunk-size line, and of all trailers. */
const MAX_SIZE_LINE = 1024
const MAX_TRAILERS = 8 * 1024
/**
 * Limits on chunk overhead, as in Go's `net/http`: some bytes per chunk plus twice its data, and a total for
 * the body. This allows chunks of one byte, but no long extensions of such chunks.
 */
const OVERHEAD_PER_CHUNK = 16
const MAX_OVERHEAD = 16 * 1024
/** Maximum number of digits of a chunk size: with more, the size could not be represented exactly. */
const MAX_DIGITS = 12
const SIZE = /^([0-9a-f]{1,12})(?:[ \t]*;[\t -~\x80-\xff]*)?$/i

const [CARRIAGE_RETURN, LINE_FEED] = [0x0d, 0x0a]
/** Bytes of the two line ends of a chunk. */
const LINE_ENDS = 4

class ChunkedFraming implements Framing {
  ended = false
  /** Number of missing bytes of the current chunk. */
  private left = 0
  private awaits: 'size' | 'data' | 'data end' | 'trailer' = 'size'
  /** The start of a line whose end has not arrived. */
  private readonly line = new Gatherer()
  private trailers = 0
  /** Number of bytes of framing beyond those allowed for the chunks so far. */
  private overhead = 0

  take(bytes: Buffer): TakenBytes {
    // The data of all chunks in one read shares a buffer: a buffer per chunk would take a hundred times the
    // memory.
    const part = Buffer.from(new ArrayBuffer(bytes.length))
    let filled = 0
    let at = 0
    while (at < bytes.length && !this.ended)
      if (this.awaits === 'data') {
        const end = Math.min(at + this.left, bytes.length)
        bytes.copy(part, filled, at, end)
        filled += end - at
        this.left -= end - at
        at = end
        if (this.left === 0) this.awaits = 'data end'
      } else at = this.takePlainLine(bytes, at) ?? this.takeLine(bytes, at)
    return { taken: at, part: compact(part.subarray(0, filled)) }
  }

  /**
   * Does the work of `takeLine` for the usual line that has arrived whole, without creating a string, because
   * a client may send a million lines per second. Null for any other line.
   */
  private takePlainLine(bytes: Buffer, begin: number): number | null {
    if (this.line.length > 0 || this.awaits === 'trailer') return null
    let at = begin
    let size = 0
    if (this.awaits === 'size') {
      for (let digit = hexDigit(bytes[at]); digit >= 0; digit = hexDigit(bytes[++at]))
        size = size * 16 + digit
      if (at === begin || at - begin > MAX_DIGITS) return null
    }
    if (bytes[at] !== CARRIAGE_RETURN || bytes[at + 1] !== LINE_FEED) return null
    if (this.awaits === 'size') this.sizeTaken(size, at - begin)
    else this.awaits = 'size'
    return at + 2
  }

  private takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LINE_FEED, at)
    this.line.add(bytes.subarray(at, end < 0 ? bytes.length : end + 1))
    if (this.line.length > MAX_SIZE_LINE) throw new FramingError('a line in the body is too long')
    if (end < 0) return bytes.length
    const line = Buffer.from(this.line.take()).toString('latin1')
    if (!line.endsWith('\r\n')) throw new FramingError('a line in the body does not end as it should')
    this.lineTaken(line.slice(0, -2))
    return end + 1
  }

  private lineTaken(line: string): void {
    if (this.awaits === 'size') {
      const [, digits] = SIZE.exec(line) ?? []
      if (digits === undefined) throw new FramingError('a chunk does not say its size')
      this.sizeTaken(Number.parseInt(digits, 16), line.length)
    } else if (this.awaits === 'data end') {
      if (line !== '') throw new FramingError('a chunk is longer than its size')
      this.awaits = 'size'
    } else {
      this.trailers += line.length
      if (this.trailers > MAX_TRAILERS) throw new FramingError('too much follows the body')
      this.ended = line === ''
      if (!this.ended) checkTrailer(line)
    }
  }

  private sizeTaken(size: number, lineLength: number): void {
    const allowed = OVERHEAD_PER_CHUNK + 2 * size
    this.overhead = Math.max(this.overhead + lineLength + LINE_ENDS - allowed, 0)
    if (this.overhead > MAX_OVERHEAD) throw new FramingError('the chunks hold too little data')
    this.left = size
    this.awaits = size === 0 ? 'trailer' : 'data'
  }
}

/** Trailers are not used. A trailer that is invalid, or would change the framing, is refused. */
function checkTrailer(line: string): void {
  const read = parseFields(`${line}\r\n`, 0)
  if (typeof read === 'number' || read.hosts > 0 || read.framed)
    throw new FramingError('what follows the body is no trailer')
}

/** The value of a hexadecimal digit; -1 for any other byte. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const small = byte | 0x20
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1
}
