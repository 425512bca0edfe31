/**
 * Functions for the memory of received bytes. All bytes that are kept must be passed through them: a view, or
 * a part of a string, would keep all the bytes of which it is a part.
 */

/** Joins bytes in a buffer of their own, which their receiver may free. */
export function joinBytes(...parts: Uint8Array[]): Buffer<ArrayBuffer> {
  const whole = Buffer.from(new ArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Frees the memory of bytes that share their buffer with no others. The garbage collector would do so much
 * later.
 */
export const freeMemory = ({ buffer }: Uint8Array) => void (buffer as ArrayBuffer).transfer(0)

/** The same bytes, copied if their buffer is more than twice as large. */
export const compact = <Bytes extends Uint8Array>(bytes: Bytes): Bytes | Buffer<ArrayBuffer> =>
  bytes.length * 2 < bytes.buffer.byteLength ? joinBytes(bytes) : bytes

/** `compact` for a part of a Latin-1 string: the runtime makes substrings without copying. */
export const compactText = (part: string, whole: string) =>
  part.length * 2 < whole.length ? Buffer.from(part, 'latin1').toString('latin1') : part

/** Collects bytes that arrive in pieces, however small; uses at most about twice their size. */
export class Gatherer {
  private space: Uint8Array = new Uint8Array()
  length = 0

  add(piece: Uint8Array): void {
    if (this.length === 0) this.space = compact(piece)
    else {
      const length = this.length + piece.length
      if (length > this.space.length) this.grow(length)
      this.space.set(piece, this.length)
    }
    this.length += piece.length
  }

  private grow(least: number): void {
    const space = new Uint8Array(Math.max(least, this.length * 2))
    space.set(this.space.subarray(0, this.length))
    this.space = space
  }

  /** Returns the collected bytes in memory of their own, and starts over. */
  take(): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = compact(this.space.subarray(0, this.length))
    const taken = new Uint8Array(buffer as ArrayBuffer, byteOffset, this.length)
    this.space = new Uint8Array()
    this.length = 0
    return taken
  }
}
