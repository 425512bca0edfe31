/** Takes the body of a request out of the bytes of its connection, RFC 9112 sections 6 and 7. */
import { compact, Gatherer, joined } from '../sending/memory.ts'
import { parseFields } from './request-head.ts'

/** Bytes that are no body, as their sender should know. */
export class FramingError extends Error {}

export interface Taken {
  /** How many bytes belong to the body and its framing: what follows is the next request. */
  taken: number
  /** What they hold, in memory of its own; empty when they hold nothing. */
  part: Buffer
}

export interface Framing {
  /** Whether all of the body was taken. */
  readonly ended: boolean
  take(bytes: Buffer): Taken
}

export const framingOf = (length: number | 'chunked'): Framing =>
  length === 'chunked' ? new ChunkedFraming() : new LengthFraming(length)

class LengthFraming implements Framing {
  constructor(private left: number) {}

  get ended(): boolean {
    return this.left === 0
  }

  take(bytes: Buffer): Taken {
    const taken = Math.min(bytes.length, this.left)
    this.left -= taken
    // Whoever reads the body may free its memory, so nothing that is needed later lies beside it.
    return { taken, part: taken === bytes.length ? bytes : joined(bytes.subarray(0, taken)) }
  }
}

/** Characters of a line that tells a size, and of all lines behind the last chunk: neither is read by anybody. */
const SIZE_LINE_MOST = 1024
const TRAILERS_MOST = 8 * 1024
/**
 * Limits on chunk overhead: a number of bytes for each chunk plus twice the chunk's data, and a total for the body. Chunks of
 * one byte are allowed, long extensions of such chunks are not. Go's `net/http` has the same rule.
 */
const OVERHEAD_PER_CHUNK = 16
const OVERHEAD_MOST = 16 * 1024
/** Beyond so many digits a size is none that a number could hold exactly. */
const DIGITS_MOST = 12
const SIZE = /^([0-9a-f]{1,12})(?:[ \t]*;.*)?$/i

const [CARRIAGE_RETURN, LINE_FEED] = [0x0d, 0x0a]
/** Characters of the two line ends of a chunk. */
const LINE_ENDS = 4

class ChunkedFraming implements Framing {
  ended = false
  /** Bytes that are left of the present chunk. */
  private left = 0
  private awaits: 'size' | 'data' | 'data end' | 'trailer' = 'size'
  /** The beginning of a line whose end has not arrived. */
  private readonly line = new Gatherer()
  private trailers = 0
  /** Bytes that were no data, beyond those that are allowed for the chunks so far. */
  private overhead = 0

  take(bytes: Buffer): Taken {
    // Joined: in memory of their own many small chunks would take a hundred times as much.
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
   * As `takeLine`, for the usual line that has come whole, without making a string of it: a client may send a million of
   * them in a second. Null for any other line.
   */
  private takePlainLine(bytes: Buffer, begin: number): number | null {
    if (this.line.length > 0 || this.awaits === 'trailer') return null
    let at = begin
    let size = 0
    if (this.awaits === 'size') {
      for (let digit = hexDigit(bytes[at]); digit >= 0; digit = hexDigit(bytes[++at]))
        size = size * 16 + digit
      if (at === begin || at - begin > DIGITS_MOST) return null
    }
    if (bytes[at] !== CARRIAGE_RETURN || bytes[at + 1] !== LINE_FEED) return null
    if (this.awaits === 'size') this.sizeTaken(size, at - begin)
    else this.awaits = 'size'
    return at + 2
  }

  private takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LINE_FEED, at)
    this.line.add(bytes.subarray(at, end < 0 ? bytes.length : end + 1))
    if (this.line.length > SIZE_LINE_MOST) throw new FramingError('a line in the body is too long')
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
      if (this.trailers > TRAILERS_MOST) throw new FramingError('too much follows the body')
      this.ended = line === ''
      if (!this.ended) checkTrailer(line)
    }
  }

  private sizeTaken(size: number, lineLength: number): void {
    const allowed = OVERHEAD_PER_CHUNK + 2 * size
    this.overhead = Math.max(this.overhead + lineLength + LINE_ENDS - allowed, 0)
    if (this.overhead > OVERHEAD_MOST) throw new FramingError('the chunks hold too little data')
    this.left = size
    this.awaits = size === 0 ? 'trailer' : 'data'
  }
}

/** Nobody reads trailers; those that no head could hold, or that would tell where the request ends, are refused all the same. */
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
