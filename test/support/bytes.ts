/** Deterministic bytes: the same seed gives the same file on every machine, so a failure can be repeated. */
import { createHash } from 'node:crypto'

export function randomBytes(seed: number, length: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4))
  let state = (seed * 2654435761 + 1) >>> 0 || 1
  for (let i = 0; i < words.length; i++) {
    // xorshift32: not cryptographic, but the bytes neither repeat nor compress.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[i] = state
  }
  return new Uint8Array(words.buffer, 0, length)
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Length and hash, in the form that a store expects. */
export const contentOf = (bytes: Uint8Array | string) => ({
  size: Buffer.byteLength(bytes),
  sha256: sha256(bytes),
})

/** All 256 values in order: a body reader that treats them as text damages some. */
export const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, value) => value)

export function concat(...parts: (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts.map(part => Buffer.from(part as string))))
}
