/**
 * Reads a JSON object with one string that may be too long for memory. That string is streamed; the text
 * around it is kept and parsed as JSON at the end, so this file only finds where the long string begins and
 * ends.
 */
import { attempt } from '../../base/attempt.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import { failure } from '../../errors/errors.ts'
import { parseJson } from './json.ts'

interface LongText {
  /**
   * The name of the outermost object's member that holds the long string. If the member occurs several times,
   * each of its strings is streamed.
   */
  member: string
  /** Maximum number of bytes around the long string. */
  maxBytesAround: number
  /**
   * Must read the long string to its end. The string is passed as UTF-8, without quotes and with escapes
   * decoded.
   */
  receive(text: AsyncGenerator<Uint8Array>): Promise<void>
}

/**
 * Resolves with the parsed JSON, in which the long string is empty. Rejects with 400 for invalid JSON, and
 * with 413 if too much surrounds the long string. Overwrites the bytes of the source.
 */
export async function readJsonWithLongText(
  source: AsyncIterable<Uint8Array>,
  longText: LongText,
): Promise<unknown> {
  const input = createJsonInput(source)
  const surroundings = createSurroundings(longText)
  try {
    while (await input.hasMore()) {
      if (surroundings.takeUntilText(input)) await longText.receive(readLongText(input))
    }
    return parseJson(surroundings.bytes())
  } finally {
    await input.end()
  }
}

/** The chunk that was received last, and the position up to which it was consumed. */
interface JsonInput {
  bytes: Uint8Array
  position: number
  /** Resolves with true when there is a byte to consume, and with false at the end of the source. */
  hasMore(): Promise<boolean>
  end(): Promise<void>
}

function createJsonInput(source: AsyncIterable<Uint8Array>): JsonInput {
  const chunkIterator = source[Symbol.asyncIterator]()
  const input: JsonInput = {
    bytes: new Uint8Array(),
    position: 0,
    async hasMore() {
      while (input.position >= input.bytes.length) {
        const next = await chunkIterator.next()
        if (next.done) return false
        input.bytes = next.value
        input.position = 0
      }
      return true
    },
    async end() {
      await chunkIterator.return?.()
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

/**
 * Creates a buffer for the bytes around the long string. Invalid JSON is kept too: the JSON parser refuses it
 * at the end.
 */
function createSurroundings({ member, maxBytesAround }: LongText) {
  const keptBytes = Buffer.allocUnsafe(maxBytesAround)
  let keptLength = 0
  let depth = 0
  let isInText = false
  let isEscaped = false
  /** Start and end in `keptBytes` of the last string in the outermost object so far. */
  let textRange = { from: 0, to: 0 }
  /** Whether the name and the colon of `member` were read, so that a string that follows is the long one. */
  let isLongTextNext = false

  function keepByte(byte: number): void {
    if (keptLength === maxBytesAround) throw failure.jsonAroundTooLarge(member, maxBytesAround)
    keptBytes[keptLength++] = byte
  }

  function onByteInText(byte: number): void {
    if (isEscaped) isEscaped = false
    else if (byte === BACKSLASH) isEscaped = true
    else if (byte === QUOTE) {
      isInText = false
      textRange.to = keptLength
    }
  }

  function onByteOutsideText(byte: number): void {
    if (OPENING_BRACKETS.has(byte)) depth++
    else if (CLOSING_BRACKETS.has(byte)) depth--
    if (byte === QUOTE) {
      isInText = true
      if (depth === 1) textRange = { from: keptLength - 1, to: keptLength }
    } else if (depth === 1 && (byte === COLON || byte === COMMA)) {
      isLongTextNext =
        byte === COLON && matchesJson(member, keptBytes.toString('utf8', textRange.from, textRange.to))
    }
  }

  return {
    /** Consumes bytes up to the long string. Returns false if the chunk ends before that string begins. */
    takeUntilText(input: JsonInput): boolean {
      const { bytes } = input
      while (input.position < bytes.length) {
        const byte = bytes[input.position++]!
        keepByte(byte)
        if (isInText) onByteInText(byte)
        else if (byte === QUOTE && isLongTextNext && depth === 1) {
          isLongTextNext = false
          keepByte(QUOTE)
          return true
        } else onByteOutsideText(byte)
      }
      return false
    },
    bytes: () => keptBytes.subarray(0, keptLength),
  }
}

const matchesJson = (text: string, json: string) => attempt(() => JSON.parse(json)) === text

/**
 * Yields the long string and consumes its closing quote. Escapes are decoded in place, which is possible
 * because a decoded escape is shorter.
 */
async function* readLongText(input: JsonInput): AsyncGenerator<Uint8Array> {
  /** The characters of an escape sequence that is not complete yet; it may have begun in an earlier chunk. */
  let incompleteEscape = ''
  while (await input.hasMore()) {
    const { bytes, position: start } = input
    let readIndex = start
    let writeIndex = start
    let isEnded = false
    while (readIndex < bytes.length && !isEnded) {
      const byte = bytes[readIndex++]!
      if (incompleteEscape !== '') {
        incompleteEscape += String.fromCharCode(byte)
        const decodedByte = unescapedByte(incompleteEscape)
        if (decodedByte === null) continue
        bytes[writeIndex++] = decodedByte
        incompleteEscape = ''
      } else if (byte === QUOTE) isEnded = true
      else if (byte === BACKSLASH) incompleteEscape = '\\'
      // RFC 8259 section 7: control characters must be escaped.
      else if (byte < 0x20) throw failure.jsonBroken()
      else bytes[writeIndex++] = byte
    }
    input.position = readIndex
    yield bytes.subarray(start, writeIndex)
    if (isEnded) return
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
const NON_ASCII_BYTE = 0xff

/**
 * The byte that an escape sequence stands for; null while it is incomplete. Throws 400 if it is invalid.
 * Every character beyond ASCII gives the same byte, which is not part of any Base64 text.
 */
function unescapedByte(incompleteEscape: string): number | null {
  const simpleByte = ownValue(ESCAPES, incompleteEscape)
  if (simpleByte !== undefined) return simpleByte
  if (!/^\\u[\da-f]{0,4}$/i.test(incompleteEscape)) throw failure.jsonBroken()
  if (incompleteEscape.length < 6) return null
  const code = Number.parseInt(incompleteEscape.slice(2), 16)
  return code < 0x80 ? code : NON_ASCII_BYTE
}
