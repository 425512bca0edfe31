/** Decodes Base64 as a stream. */
import { failure } from '../../errors/errors.ts'
import { compactText } from '../server/sending/memory.ts'

/**
 * Maximum ratio of the length of Base64 text to the size of its file: a line break of two characters may
 * follow every 76 characters.
 */
export const MAX_BASE64_RATIO = (4 / 3) * (78 / 76)

/**
 * Maximum number of characters of the prefix of a data URL (`data:image/png;base64,`). The prefix is not
 * decoded.
 */
const MAX_PREFIX_LENGTH = 1024
const DATA_SCHEME = /^\s*data:/i
/**
 * The end of the prefix of a data URL. Only if this text is missing does the prefix end at its first comma,
 * because `codecs=vp9,opus` contains a comma too.
 */
const PREFIX_END = ';base64,'

/**
 * Reads the prefix of a data URL, if the text has one. `bytes` in the result yields the decoded bytes after
 * the prefix, and closes the source if its reader stops early. `declaredType` is the media type as written in
 * the data URL; it is empty for text that is not a data URL.
 */
export async function openBase64(text: AsyncIterable<Uint8Array>) {
  const chunkIterator = text[Symbol.asyncIterator]()
  let startBytes = Buffer.alloc(0)
  for (let isEnded = false; !isEnded && mayBecomePrefix(startBytes); ) {
    const next = await chunkIterator.next()
    if (next.done) isEnded = true
    else startBytes = Buffer.concat([startBytes, next.value])
  }
  const { declaredType, prefixLength } = parsePrefix(startBytes)

  /**
   * Returns the bytes after the prefix and empties `startBytes`, so that they do not stay in memory while the
   * rest is read.
   */
  function takeStart(): Uint8Array {
    const firstBytes = startBytes.subarray(prefixLength)
    startBytes = Buffer.alloc(0)
    return firstBytes
  }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    const decoder = createDecoder()
    try {
      yield decoder.take(takeStart())
      for (let next = await chunkIterator.next(); !next.done; next = await chunkIterator.next())
        yield decoder.take(next.value)
      yield decoder.end()
    } finally {
      await chunkIterator.return?.()
    }
  }
  return { declaredType, bytes: bytes() }
}

export async function* decodeBase64(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* (await openBase64(text)).bytes
}

/**
 * The first characters, which include the prefix if there is one. Latin-1 makes one character of each byte.
 */
const firstCharacters = (startBytes: Buffer) => startBytes.toString('latin1', 0, MAX_PREFIX_LENGTH)

function mayBecomePrefix(startBytes: Buffer): boolean {
  const text = firstCharacters(startBytes).toLowerCase()
  return (
    text.length < MAX_PREFIX_LENGTH &&
    !text.includes(PREFIX_END) &&
    'data:'.startsWith(text.trimStart().slice(0, 5))
  )
}

/** Parses the prefix of a data URL; `prefixLength` is 0 for text that is not a data URL. */
function parsePrefix(startBytes: Buffer): { declaredType: string; prefixLength: number } {
  const text = firstCharacters(startBytes)
  const schemeMatch = DATA_SCHEME.exec(text)
  const markerIndex = text.toLowerCase().indexOf(PREFIX_END)
  const prefixEnd = markerIndex < 0 ? text.indexOf(',') : markerIndex
  if (!schemeMatch || prefixEnd < 0) return { declaredType: '', prefixLength: 0 }
  return {
    declaredType: text.slice(schemeMatch[0].length, prefixEnd),
    prefixLength: prefixEnd + (markerIndex < 0 ? 1 : PREFIX_END.length),
  }
}

const WHITESPACE = /[ \t\r\n\f\v]+/g
const STANDARD_CHARACTERS = /[+/]/
const URL_SAFE_CHARACTERS = /[-_]/

/**
 * Creates a decoder that accepts both alphabets of RFC 4648 (sections 4 and 5), but not mixed: mixed text was
 * assembled wrongly. Padding is complete or absent, and only whitespace may follow it.
 */
function createDecoder() {
  /** The characters of the last block of four, which is not complete yet. */
  let incompleteBlock = ''
  let alphabet: 'base64' | 'base64url' | undefined
  let isPadded = false

  function decode(text: string): Uint8Array {
    if (isPadded && text !== '') throw failure.base64Broken()
    isPadded ||= text.endsWith('=')
    alphabet ??= URL_SAFE_CHARACTERS.test(text)
      ? 'base64url'
      : STANDARD_CHARACTERS.test(text)
        ? 'base64'
        : undefined
    try {
      return Uint8Array.fromBase64(text, alphabet && { alphabet })
    } catch {
      throw failure.base64Broken()
    }
  }

  return {
    take(piece: Uint8Array): Uint8Array {
      const characters = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
      const text = incompleteBlock + characters.replace(WHITESPACE, '')
      const decodableLength = text.length - (text.length % 4)
      incompleteBlock = compactText(text.slice(decodableLength), text)
      return decode(text.slice(0, decodableLength))
    },
    end: () => decode(incompleteBlock),
  }
}
