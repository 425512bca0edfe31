/**
 * Reads a JSON object in which one text is too long to be held in memory. The long text is handed on as it
 * arrives. Everything around the long text is kept, and parsed as JSON at the end. So this file understands
 * nothing of JSON except where the long text begins and ends.
 */
import { ownValue } from '../../contract/values/own-value.ts'
import { failure } from '../../errors/errors.ts'
import { parsedJson } from './json.ts'

interface LongText {
  /**
   * The member of the outermost object that holds the long text. If several members have this name, the texts
   * of all of them are handed on, in their order.
   */
  member: string
  /** The most bytes that everything around the long text may have. */
  around: number
  /**
   * Reads the long text to its end. The text comes without its quotes and with its escapes resolved.
   * Characters beyond ASCII come as bytes beyond ASCII.
   */
  receive(text: AsyncGenerator<Uint8Array>): Promise<void>
}

/**
 * Resolves with the parsed JSON, in which an empty text stands in place of the long text. Rejects with 400
 * for broken JSON and with 413 when too much stands around the long text. The bytes of the source are
 * overwritten on the way.
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

/** The arriving bytes, with the position up to which they were taken. */
interface Input {
  bytes: Uint8Array
  at: number
  /** False when the source has ended; true when there is at least one byte to take. */
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

const byte = (character: string) => character.charCodeAt(0)
const QUOTE = byte('"')
const BACKSLASH = byte('\\')
const COLON = byte(':')
const COMMA = byte(',')
const OPENING = new Set(['{', '['].map(byte))
const CLOSING = new Set(['}', ']'].map(byte))

/**
 * Keeps the bytes around the long text. Bytes that are not valid JSON are kept too: the parser finds them at
 * the end.
 */
function createAround({ member, around: limit }: LongText) {
  const kept = Buffer.allocUnsafe(limit)
  let length = 0
  let depth = 0
  let inText = false
  let escaped = false
  /** Where the latest text of the outermost object begins and ends in `kept`. */
  let text = { from: 0, to: 0 }
  /**
   * True after a colon of the outermost object if the name before that colon is the name of the long text.
   */
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
    if (OPENING.has(value)) depth++
    else if (CLOSING.has(value)) depth--
    if (value === QUOTE) {
      inText = true
      if (depth === 1) text = { from: length - 1, to: length }
    } else if (depth === 1 && (value === COLON || value === COMMA)) {
      awaited = value === COLON && isJsonOf(member, kept.toString('utf8', text.from, text.to))
    }
  }

  return {
    /**
     * True when the next byte is the first byte of the long text; false when all available bytes were taken.
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

function isJsonOf(text: string, json: string): boolean {
  try {
    return JSON.parse(json) === text
  } catch {
    return false
  }
}

/**
 * Yields the text up to its closing quote and takes that quote too. Escapes are resolved in the same buffer:
 * resolving makes the text shorter, never longer.
 */
async function* textOf(input: Input): AsyncGenerator<Uint8Array> {
  /** The characters of an incomplete escape, which may have begun in an earlier piece. */
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
        const character = unescaped(begun)
        if (character === null) continue
        bytes[to++] = character
        begun = ''
      } else if (value === QUOTE) ended = true
      else if (value === BACKSLASH) begun = '\\'
      // RFC 8259 section 7: a control character, such as a line break, has to be escaped within a text.
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
  '\\/': byte('/'),
  '\\b': byte('\b'),
  '\\f': byte('\f'),
  '\\n': byte('\n'),
  '\\r': byte('\r'),
  '\\t': byte('\t'),
}
const BEYOND_ASCII = 0xff

/** The byte that the escape stands for; null while the escape is not complete. */
function unescaped(begun: string): number | null {
  const simple = ownValue(ESCAPES, begun)
  if (simple !== undefined) return simple
  if (!/^\\u[\da-f]{0,4}$/i.test(begun)) throw failure.jsonBroken()
  if (begun.length < 6) return null
  const code = Number.parseInt(begun.slice(2), 16)
  return code < 0x80 ? code : BEYOND_ASCII
}
