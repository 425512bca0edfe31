/**
 * Memory of what came over a connection. Whatever waits is kept through these functions: a view or a part of a text that is
 * kept would keep all the bytes that it was cut from.
 */

/** Joins bytes in memory that nothing else lies in, so that whoever gets them may free it. */
export function joined(...parts: Uint8Array[]): Buffer<ArrayBuffer> {
  const whole = Buffer.from(new ArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Frees the memory of bytes that have it to themselves. The garbage collector would do so much later. */
export const free = ({ buffer }: Uint8Array) => void (buffer as ArrayBuffer).transfer(0)

/** The same bytes, copied when they lie in memory that is more than twice as large. */
export const compact = <Bytes extends Uint8Array>(bytes: Bytes): Bytes | Buffer<ArrayBuffer> =>
  bytes.length * 2 < bytes.buffer.byteLength ? joined(bytes) : bytes

/** The same for a part of a text in Latin-1: the runtime cuts texts without copying them. */
export const compactText = (part: string, whole: string) =>
  part.length * 2 < whole.length ? Buffer.from(part, 'latin1').toString('latin1') : part

/** Gathers bytes that come in pieces, however small these are, in memory of at most about twice their length. */
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

  /** What was gathered, in memory of its own; begins anew. */
  take(): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = compact(this.space.subarray(0, this.length))
    const taken = new Uint8Array(buffer as ArrayBuffer, byteOffset, this.length)
    this.space = new Uint8Array()
    this.length = 0
    return taken
  }
}
