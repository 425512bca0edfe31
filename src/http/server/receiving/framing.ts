/** Reads the body of a request from the bytes of its connection, RFC 9112 sections 6 and 7. */
import { ByteCollector, compactBytes, joinBytes } from '../sending/memory.ts'
import { parseFields } from './request-head.ts'

/** Thrown if the received bytes are not a valid body. */
export class FramingError extends Error {}

export interface DecodedPart {
  /**
   * Number of bytes that belong to the body and its framing; the bytes after them belong to the next request.
   */
  consumedLength: number
  /**
   * The body's data; may be empty. Its buffer contains no other bytes that are still in use, so that the
   * reader may free it.
   */
  data: Buffer
}

export interface Framing {
  readonly isEnded: boolean
  take(bytes: Buffer): DecodedPart
}

export const framingOf = (length: number | 'chunked'): Framing =>
  length === 'chunked' ? new ChunkedFraming() : new LengthFraming(length)

class LengthFraming implements Framing {
  constructor(private remainingBytes: number) {}

  get isEnded(): boolean {
    return this.remainingBytes === 0
  }

  take(bytes: Buffer): DecodedPart {
    const consumedLength = Math.min(bytes.length, this.remainingBytes)
    this.remainingBytes -= consumedLength
    // The reader of the body may free this memory, so it must not contain bytes of the next request.
    return {
      consumedLength,
      data: consumedLength === bytes.length ? bytes : joinBytes(bytes.subarray(0, consumedLength)),
    }
  }
}

/** Maximum bytes of a line with a chunk size or a trailer. */
const MAX_LINE_BYTES = 1024
/** Maximum bytes of all trailers of a body together, without their line ends. */
const MAX_TRAILER_BYTES = 8 * 1024
/**
 * Limits on the framing of chunks, as in Go's `net/http`. The framing of a chunk may take
 * `OVERHEAD_PER_CHUNK` bytes plus twice the size of its data. The excess of all chunks is added up, minus
 * what other chunks leave unused, and may reach `MAX_OVERHEAD` bytes. This allows chunks of one byte, but not
 * many of them with long extensions.
 */
const OVERHEAD_PER_CHUNK = 16
const MAX_OVERHEAD = 16 * 1024
/** Maximum number of hexadecimal digits of a chunk size: few enough to represent every size exactly. */
const MAX_SIZE_DIGITS = 12
const SIZE_LINE_PATTERN = /^([0-9a-f]{1,12})(?:[ \t]*;[\t -~\x80-\xff]*)?$/i

const [CARRIAGE_RETURN, LINE_FEED] = [0x0d, 0x0a]
/** Bytes of the two line ends of a chunk: after its size and after its data. */
const LINE_END_BYTES = 4

class ChunkedFraming implements Framing {
  isEnded = false
  /** Number of data bytes of the current chunk that have not arrived. */
  private remainingBytes = 0
  private expectedPart: 'size' | 'data' | 'data end' | 'trailer' = 'size'
  /** The start of a line whose end has not arrived. */
  private readonly incompleteLine = new ByteCollector()
  private trailerBytes = 0
  /** Number of bytes by which the framing of the chunks so far exceeds the allowance; see `MAX_OVERHEAD`. */
  private excessOverhead = 0

  take(bytes: Buffer): DecodedPart {
    // The data of all chunks in one read shares a buffer: for tiny chunks, a buffer per chunk would take a
    // hundred times the memory.
    const data = Buffer.from(new ArrayBuffer(bytes.length))
    let dataLength = 0
    let position = 0
    while (position < bytes.length && !this.isEnded)
      if (this.expectedPart === 'data') {
        const end = Math.min(position + this.remainingBytes, bytes.length)
        bytes.copy(data, dataLength, position, end)
        dataLength += end - position
        this.remainingBytes -= end - position
        position = end
        if (this.remainingBytes === 0) this.expectedPart = 'data end'
      } else position = this.takePlainLine(bytes, position) ?? this.takeLine(bytes, position)
    return { consumedLength: position, data: compactBytes(data.subarray(0, dataLength)) }
  }

  /**
   * Consumes a complete size line without extension, or the empty line after the data of a chunk, and returns
   * the position after it. For any other line, returns null; `takeLine` must consume it. Creates no string,
   * because a client may send a million lines per second.
   */
  private takePlainLine(bytes: Buffer, begin: number): number | null {
    if (this.incompleteLine.length > 0 || this.expectedPart === 'trailer') return null
    let position = begin
    let size = 0
    if (this.expectedPart === 'size') {
      for (let digit = hexDigit(bytes[position]); digit >= 0; digit = hexDigit(bytes[++position]))
        size = size * 16 + digit
      if (position === begin || position - begin > MAX_SIZE_DIGITS) return null
    }
    if (bytes[position] !== CARRIAGE_RETURN || bytes[position + 1] !== LINE_FEED) return null
    if (this.expectedPart === 'size') this.onSize(size, position - begin)
    else this.expectedPart = 'size'
    return position + 2
  }

  private takeLine(bytes: Buffer, position: number): number {
    const end = bytes.indexOf(LINE_FEED, position)
    this.incompleteLine.add(bytes.subarray(position, end < 0 ? bytes.length : end + 1))
    if (this.incompleteLine.length > MAX_LINE_BYTES) throw new FramingError('a line in the body is too long')
    if (end < 0) return bytes.length
    const line = Buffer.from(this.incompleteLine.take()).toString('latin1')
    if (!line.endsWith('\r\n')) throw new FramingError('a line in the body does not end as it should')
    this.onLine(line.slice(0, -2))
    return end + 1
  }

  private onLine(line: string): void {
    if (this.expectedPart === 'size') {
      const [, digits] = SIZE_LINE_PATTERN.exec(line) ?? []
      if (digits === undefined) throw new FramingError('a chunk does not say its size')
      this.onSize(Number.parseInt(digits, 16), line.length)
    } else if (this.expectedPart === 'data end') {
      if (line !== '') throw new FramingError('a chunk is longer than its size')
      this.expectedPart = 'size'
    } else {
      this.trailerBytes += line.length
      if (this.trailerBytes > MAX_TRAILER_BYTES) throw new FramingError('too much follows the body')
      this.isEnded = line === ''
      if (!this.isEnded) checkTrailer(line)
    }
  }

  private onSize(size: number, lineLength: number): void {
    const allowedBytes = OVERHEAD_PER_CHUNK + 2 * size
    this.excessOverhead = Math.max(this.excessOverhead + lineLength + LINE_END_BYTES - allowedBytes, 0)
    if (this.excessOverhead > MAX_OVERHEAD) throw new FramingError('the chunks hold too little data')
    this.remainingBytes = size
    this.expectedPart = size === 0 ? 'trailer' : 'data'
  }
}

/**
 * Throws if a trailer is invalid, or is a field that says how the body is framed or which host is meant.
 * Valid trailers are ignored.
 */
function checkTrailer(line: string): void {
  const fields = parseFields(`${line}\r\n`, 0)
  if (typeof fields === 'number' || fields.hostCount > 0 || fields.announcesBody)
    throw new FramingError('what follows the body is no trailer')
}

/** The value of a hexadecimal digit; -1 for any other byte. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lowerCaseByte = byte | 0x20
  return lowerCaseByte >= 0x61 && lowerCaseByte <= 0x66 ? lowerCaseByte - 0x57 : -1
}
