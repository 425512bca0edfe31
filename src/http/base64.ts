/**
 * Decodes Base64 text to bytes piece by piece, without making a string of the text, so that its size does not matter.
 */
import { failure } from '../errors.ts'

/** A data-URL prefix is cut off. A prefix of more bytes than this does not count as a prefix. */
const DATA_URL_LIMIT = 1024
const SCHEME = /^\s*data:/i
/**
 * Ends the prefix. A comma alone ends the prefix only where this mark is missing: `codecs=vp9,opus` holds a comma too.
 */
const MARK = ';base64,'

interface Base64Content {
  /** The media type that a data URL names, as written there; empty when no data URL names one. */
  declaredType: string
  bytes: AsyncGenerator<Uint8Array>
}

/**
 * Reads only as far as the prefix. `bytes` reads the rest, and ends the text when the reader of `bytes` stops early.
 */
export async function openBase64(text: AsyncIterable<Uint8Array>): Promise<Base64Content> {
  const pieces = text[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  for (let ended = false; !ended && mayBecomePrefix(start); ) {
    const next = await pieces.next()
    if (next.done) ended = true
    else start = Buffer.concat([start, next.value])
  }
  const { declaredType, length } = prefixOf(start)

  async function* bytes(): AsyncGenerator<Uint8Array> {
    const decoder = createDecoder()
    try {
      yield decoder.take(start.subarray(length))
      for (let next = await pieces.next(); !next.done; next = await pieces.next())
        yield decoder.take(next.value)
      yield decoder.end()
    } finally {
      await pieces.return?.()
    }
  }
  return { declaredType, bytes: bytes() }
}

export async function* decodeBase64(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* (await openBase64(text)).bytes
}

/** The beginning of the text as Latin-1, where every byte is one character. */
const beginningOf = (start: Buffer) => start.toString('latin1', 0, DATA_URL_LIMIT)

function mayBecomePrefix(start: Buffer): boolean {
  const text = beginningOf(start).toLowerCase()
  return (
    text.length < DATA_URL_LIMIT && !text.includes(MARK) && 'data:'.startsWith(text.trimStart().slice(0, 5))
  )
}

/**
 * Gives the same result however the text was cut into pieces: a prefix that does not end within the limit does not
 * count as a prefix.
 */
function prefixOf(start: Buffer): { declaredType: string; length: number } {
  const text = beginningOf(start)
  const scheme = SCHEME.exec(text)
  const mark = text.toLowerCase().indexOf(MARK)
  const end = mark < 0 ? text.indexOf(',') : mark
  if (!scheme || end < 0) return { declaredType: '', length: 0 }
  return {
    declaredType: text.slice(scheme[0].length, end),
    length: end + (mark < 0 ? 1 : MARK.length),
  }
}

// What a byte of the text means. A character of an alphabet means its six bits; where the two alphabets differ,
// STANDARD or URL_SAFE is added to say which alphabet the character is of. Every other byte is BLANK, PADDING or
// FOREIGN.
const STANDARD = 64
const URL_SAFE = 128
const BLANK = 256
const PADDING = 512
const FOREIGN = 1024

const MEANINGS = new Uint16Array(256).fill(FOREIGN)
const common = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
for (let bits = 0; bits < common.length; bits++) MEANINGS[common.charCodeAt(bits)] = bits
for (const [at, character] of ['+', '/'].entries()) MEANINGS[character.charCodeAt(0)] = STANDARD | (62 + at)
for (const [at, character] of ['-', '_'].entries()) MEANINGS[character.charCodeAt(0)] = URL_SAFE | (62 + at)
for (const blank of ' \t\r\n\f\v') MEANINGS[blank.charCodeAt(0)] = BLANK
MEANINGS['='.charCodeAt(0)] = PADDING

/**
 * Takes both alphabets of RFC 4648 (sections 4 and 5), but not both in one text: such a text was put together wrongly.
 * Padding is complete or missing altogether, and nothing but blanks follows it.
 */
function createDecoder() {
  /** The characters taken so far of an incomplete block of four. */
  let held: number[] = []
  let padding = 0
  let alphabets = 0

  /**
   * Takes one character that is not in a complete block of `take`: its block is cut or broken up by blanks, or the
   * character belongs to no block (blank, padding, foreign).
   */
  function takeOne(meaning: number, into: Uint8Array, length: number): number {
    if (meaning === BLANK) return length
    if (meaning === FOREIGN || (padding > 0 && meaning !== PADDING)) throw failure.base64Broken()
    if (meaning === PADDING) {
      padding++
      return length
    }
    if (held.push(meaning) < 4) return length
    const [a, b, c, d] = held as [number, number, number, number]
    held = []
    return writeBlock(into, length, a, b, c, d)
  }

  function note(seen: number): void {
    alphabets |= seen
    if ((alphabets & STANDARD) !== 0 && (alphabets & URL_SAFE) !== 0) throw failure.base64Broken()
  }

  return {
    take(text: Uint8Array): Uint8Array {
      const bytes = new Uint8Array(Math.ceil((held.length + text.length) / 4) * 3)
      let length = 0
      let seen = 0
      for (let at = 0; at < text.length; ) {
        const a = MEANINGS[text[at]!]!
        seen |= a
        if (at + 3 < text.length && held.length === 0) {
          const b = MEANINGS[text[at + 1]!]!
          const c = MEANINGS[text[at + 2]!]!
          const d = MEANINGS[text[at + 3]!]!
          if ((a | b | c | d) < BLANK && padding === 0) {
            seen |= b | c | d
            length = writeBlock(bytes, length, a, b, c, d)
            at += 4
            continue
          }
        }
        length = takeOne(a, bytes, length)
        at++
      }
      note(seen)
      return bytes.subarray(0, length)
    },
    end: () => lastBytes(held, padding),
  }
}

/** The bytes of the last, incomplete block of four characters; `held` are the characters that it has. */
function lastBytes(held: readonly number[], padding: number): Uint8Array {
  const characters = held.length
  const complete = padding === 0 || (characters > 0 && characters + padding === 4)
  if (characters === 1 || !complete) throw failure.base64Broken()
  const [a = 0, b = 0, c = 0] = held
  const bytes = new Uint8Array(3)
  writeBlock(bytes, 0, a, b, c, 0)
  return bytes.subarray(0, Math.max(characters - 1, 0))
}

/** Writes the three bytes of a block. Returns the position for the next block. */
function writeBlock(into: Uint8Array, at: number, a: number, b: number, c: number, d: number): number {
  into[at] = (a << 2) | ((b & 63) >> 4)
  into[at + 1] = (b << 4) | ((c & 63) >> 2)
  into[at + 2] = (c << 6) | (d & 63)
  return at + 3
}
