/**
 * A JSON object of which one text is too long to be held: that text is handed on as it arrives, everything around it is
 * kept, and read as JSON at the end. So nothing of JSON is understood here but where that text begins and ends.
 */
import { failure } from '../errors.ts'
import { parsedJson } from './json.ts'

export interface LongText {
  /** The member of the outermost object whose text it is. Of several, all are handed on, in their order. */
  member: string
  /** Bytes that everything else may have. */
  around: number
  /** Reads the text, without quotes and escapes, to its end. Characters beyond ASCII come as bytes beyond it. */
  receive(text: AsyncGenerator<Uint8Array>): Promise<void>
}

/**
 * The parsed JSON, with empty text in place of the long one. Rejects with 400 for broken JSON, 413 when too much stands
 * around the text. The bytes of the source are changed on the way.
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

/** The bytes as they come, with the place up to which they were taken. */
interface Input {
  bytes: Uint8Array
  at: number
  /** False when the source has ended; else there is a byte to take. */
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

/** What stands around the long text. What is no JSON is kept as well as what is: parsing tells. */
function createAround({ member, around: limit }: LongText) {
  const kept = Buffer.allocUnsafe(limit)
  let length = 0
  let depth = 0
  let inText = false
  let escaped = false
  /** Where the latest text of the outermost object begins, and where it ends. */
  let text = { from: 0, to: 0 }
  /** After a colon of the outermost object: the name that stands before it is that of the long text. */
  let awaited = false

  function keep(value: number): void {
    if (length === limit) throw failure.jsonAroundTooLarge(member, limit)
    kept[length++] = value
  }

  function isMember(): boolean {
    try {
      return JSON.parse(kept.toString('utf8', text.from, text.to)) === member
    } catch {
      return false
    }
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
      awaited = value === COLON && isMember()
    }
  }

  return {
    /** True when the next byte is the first of the long text; else everything there was is taken. */
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

/** The text up to its closing quote, which is taken too. Unescaped where it lies: that makes it shorter, never longer. */
async function* textOf(input: Input): AsyncGenerator<Uint8Array> {
  /** An escape that has begun, perhaps in an earlier piece. */
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
      // RFC 8259 section 7: a line break within a text has to be escaped.
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

/** Null while the escape is not complete. */
function unescaped(begun: string): number | null {
  const simple = ESCAPES[begun]
  if (simple !== undefined) return simple
  if (!/^\\u[\da-f]{0,4}$/i.test(begun)) throw failure.jsonBroken()
  if (begun.length < 6) return null
  const code = Number.parseInt(begun.slice(2), 16)
  return code < 0x80 ? code : BEYOND_ASCII
}
