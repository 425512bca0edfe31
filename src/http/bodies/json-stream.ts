/**
 * Reads a JSON object with one string that is too long for memory. That string is streamed; the text around
 * it is kept and parsed as JSON at the end, so this file only finds where the long string begins and ends.
 */
import { attempt } from '../../base/attempt.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import { failure } from '../../errors/errors.ts'
import { parsedJson } from './json.ts'

interface LongText {
  /**
   * The outermost member that holds the long string. If the member occurs several times, each string is
   * streamed.
   */
  member: string
  /** Maximum number of bytes around the long string. */
  around: number
  /**
   * Must read the long string to its end. The string is passed as UTF-8, without quotes and with escapes
   * decoded.
   */
  receive(text: AsyncGenerator<Uint8Array>): Promise<void>
}

/**
 * Resolves with the JSON, with an empty string in place of the long one. Rejects with 400 for invalid JSON,
 * and with 413 if too much surrounds the long string. Overwrites the bytes of the source.
 */
export async function readJsonAround(source: AsyncIterable<Uint8Array>, long: LongText): Promise<unknown> {
  const input = createInput(source)
  const around = createAround(long)
  try {
    while (await input.more()) {
      if (around.takeUntilText(input)) await long.receive(textOf(input))
    }
    return parsedJson(around.bytes())
  } finally {
    await input.end()
  }
}

/** Received bytes and the position up to which they were consumed. */
interface Input {
  bytes: Uint8Array
  at: number
  /** Resolves with true when there is a byte to consume, and with false at the end of the source. */
  more(): Promise<boolean>
  end(): Promise<void>
}

function createInput(source: AsyncIterable<Uint8Array>): Input {
  const pieces = source[Symbol.asyncIterator]()
  const input: Input = {
    bytes: new Uint8Array(),
    at: 0,
    async more() {
      while (input.at >= input.bytes.length) {
        const next = await pieces.next()
        if (next.done) return false
        input.bytes = next.value
        input.at = 0
      }
      return true
    },
    async end() {
      await pieces.return?.()
    },
  }
  return input
}

const byteOf = (character: string) => character.charCodeAt(0)
const QUOTE = byteOf('"')
const BACKSLASH = byteOf('\\')
const COLON = byteOf(':')
const COMMA = byteOf(',')
const OPENING_BRACKETS = new Set(['{', '['].map(byteOf))
const CLOSING_BRACKETS = new Set(['}', ']'].map(byteOf))

/** Keeps the bytes around the long string. Invalid JSON is kept too: the parser finds it at the end. */
function createAround({ member, around: limit }: LongText) {
  const kept = Buffer.allocUnsafe(limit)
  let length = 0
  let depth = 0
  let inText = false
  let escaped = false
  /** Start and end in `kept` of the latest string in the outermost object. */
  let text = { from: 0, to: 0 }
  /** Whether a colon of the outermost object was read that follows the name of the long string. */
  let awaited = false

  function keep(value: number): void {
    if (length === limit) throw failure.jsonAroundTooLarge(member, limit)
    kept[length++] = value
  }

  function insideText(value: number): void {
    if (escaped) escaped = false
    else if (value === BACKSLASH) escaped = true
    else if (value === QUOTE) {
      inText = false
      text.to = length
    }
  }

  function outsideText(value: number): void {
    if (OPENING_BRACKETS.has(value)) depth++
    else if (CLOSING_BRACKETS.has(value)) depth--
    if (value === QUOTE) {
      inText = true
      if (depth === 1) text = { from: length - 1, to: length }
    } else if (depth === 1 && (value === COLON || value === COMMA)) {
      awaited = value === COLON && isJsonOf(member, kept.toString('utf8', text.from, text.to))
    }
  }

  return {
    /**
     * Consumes bytes up to the long string. True if its first byte is next; false if all bytes were consumed.
     */
    takeUntilText(input: Input): boolean {
      const { bytes } = input
      while (input.at < bytes.length) {
        const value = bytes[input.at++]!
        keep(value)
        if (inText) insideText(value)
        else if (value === QUOTE && awaited && depth === 1) {
          awaited = false
          keep(QUOTE)
          return true
        } else outsideText(value)
      }
      return false
    },
    bytes: () => kept.subarray(0, length),
  }
}

const isJsonOf = (text: string, json: string) => attempt(() => JSON.parse(json)) === text

/**
 * Yields the string and consumes its closing quote. Escapes are decoded in place, which makes the text
 * shorter.
 */
async function* textOf(input: Input): AsyncGenerator<Uint8Array> {
  /** An incomplete escape, possibly from an earlier chunk. */
  let begun = ''
  while (await input.more()) {
    const { bytes, at: from } = input
    let at = from
    let to = from
    let ended = false
    while (at < bytes.length && !ended) {
      const value = bytes[at++]!
      if (begun !== '') {
        begun += String.fromCharCode(value)
        const character = unescapedByte(begun)
        if (character === null) continue
        bytes[to++] = character
        begun = ''
      } else if (value === QUOTE) ended = true
      else if (value === BACKSLASH) begun = '\\'
      // RFC 8259 section 7: control characters must be escaped.
      else if (value < 0x20) throw failure.jsonBroken()
      else bytes[to++] = value
    }
    input.at = at
    yield bytes.subarray(from, to)
    if (ended) return
  }
  throw failure.jsonBroken()
}

const ESCAPES: Readonly<Record<string, number>> = {
  '\\"': QUOTE,
  '\\\\': BACKSLASH,
  '\\/': byteOf('/'),
  '\\b': byteOf('\b'),
  '\\f': byteOf('\f'),
  '\\n': byteOf('\n'),
  '\\r': byteOf('\r'),
  '\\t': byteOf('\t'),
}
const BEYOND_ASCII = 0xff

/** The byte that the escape stands for; null while it is incomplete. */
function unescapedByte(begun: string): number | null {
  const simple = ownValue(ESCAPES, begun)
  if (simple !== undefined) return simple
  if (!/^\\u[\da-f]{0,4}$/i.test(begun)) throw failure.jsonBroken()
  if (begun.length < 6) return null
  const code = Number.parseInt(begun.slice(2), 16)
  return code < 0x80 ? code : BEYOND_ASCII
}
