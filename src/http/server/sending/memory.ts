/**
 * Functions for the memory of received bytes. Bytes or texts that are kept for longer are copied with
 * `compactBytes` or `compactText`, because a small view keeps its whole buffer in memory, and a substring its
 * whole string.
 */

/** Copies the parts into a new buffer, which the caller may free. */
export function joinBytes(...parts: Uint8Array[]): Buffer<ArrayBuffer> {
  const joinedBytes = Buffer.from(
    new ArrayBuffer(parts.reduce((totalLength, { length }) => totalLength + length, 0)),
  )
  let offset = 0
  for (const part of parts) {
    joinedBytes.set(part, offset)
    offset += part.length
  }
  return joinedBytes
}

/**
 * Frees the buffer of these bytes, which must contain no other bytes in use. The garbage collector would do
 * so much later.
 */
export const freeMemory = ({ buffer }: Uint8Array) => void (buffer as ArrayBuffer).transfer(0)

/** The same bytes, copied if their buffer is more than twice as large as they are. */
export const compactBytes = <Bytes extends Uint8Array>(bytes: Bytes): Bytes | Buffer<ArrayBuffer> =>
  bytes.length * 2 < bytes.buffer.byteLength ? joinBytes(bytes) : bytes

/** Like `compactBytes`, for a part of a Latin-1 string. The runtime makes substrings without copying. */
export const compactText = (partText: string, wholeText: string) =>
  partText.length * 2 < wholeText.length ? Buffer.from(partText, 'latin1').toString('latin1') : partText

/**
 * Collects bytes that arrive in pieces. Even if the pieces are tiny, the buffer is at most about twice as
 * large as the collected bytes.
 */
export class ByteCollector {
  private buffer: Uint8Array = new Uint8Array()
  length = 0

  add(piece: Uint8Array): void {
    if (this.length === 0) this.buffer = compactBytes(piece)
    else {
      const length = this.length + piece.length
      if (length > this.buffer.length) this.grow(length)
      this.buffer.set(piece, this.length)
    }
    this.length += piece.length
  }

  private grow(minLength: number): void {
    const newBuffer = new Uint8Array(Math.max(minLength, this.length * 2))
    newBuffer.set(this.buffer.subarray(0, this.length))
    this.buffer = newBuffer
  }

  /** Returns the collected bytes and starts over. Their buffer is at most twice as large as they are. */
  take(): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = compactBytes(this.buffer.subarray(0, this.length))
    const collectedBytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, this.length)
    this.buffer = new Uint8Array()
    this.length = 0
    return collectedBytes
  }
}
