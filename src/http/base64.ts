/** Base64 text to bytes, piece by piece, so that its size does not matter. */
import { failure } from '../errors.ts'

/** A data-URL prefix is cut off; longer than this it is none. */
const DATA_URL_LIMIT = 1024
const DATA_URL = /^\s*data:[^,]*,/i

const ALPHABET = /^[A-Za-z0-9+/]*={0,2}$/
/** Those of ASCII alone: decoded as Latin-1, other bytes would pass for blanks too. */
const BLANKS = /[ \t\r\n\f\v]+/g

/** Strict about alphabet, length and padding: text that was cut off must not pass for a file. */
export async function* decodeBase64(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = ''
  let ended = false
  for await (const piece of withoutDataUrl(text)) {
    const characters = rest + piece.replace(BLANKS, '')
    if (ended && characters !== '') throw failure.base64Broken()
    const whole = characters.length - (characters.length % 4)
    rest = characters.slice(whole)
    if (whole === 0) continue
    const block = characters.slice(0, whole)
    if (!ALPHABET.test(block)) throw failure.base64Broken()
    ended = block.endsWith('=')
    yield Buffer.from(block, 'base64')
  }
  if (rest !== '') throw failure.base64Broken()
}

async function* withoutDataUrl(text: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Latin-1 keeps every byte one character; anything outside ASCII then fails the alphabet.
  const decoder = new TextDecoder('latin1')
  let start = ''
  let passed = false
  for await (const chunk of text) {
    const piece = decoder.decode(chunk, { stream: true })
    if (passed) {
      yield piece
      continue
    }
    start += piece
    if (start.length < DATA_URL_LIMIT && !start.includes(',')) continue
    passed = true
    yield withoutPrefix(start)
  }
  if (!passed) yield start
}

/** However the text was cut into pieces: a prefix that does not end within the limit is none. */
function withoutPrefix(start: string): string {
  const end = start.slice(0, DATA_URL_LIMIT).search(',') + 1
  return end > 0 && DATA_URL.test(start.slice(0, end)) ? start.slice(end) : start
}
