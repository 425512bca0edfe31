/**
 * Helpers for text. They trim and split in one pass: a regular expression such as `/-+$/` restarts at each
 * `-` of a long run, so its time grows with the square of the length of the run.
 */

export function trimTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

export function trimBothEnds(text: string, characters: string): string {
  const endTrimmed = trimTrailing(text, characters)
  let start = 0
  while (start < endTrimmed.length && characters.includes(endTrimmed[start]!)) start++
  return endTrimmed.slice(start)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Splits a header value at `separator`, but not inside quotes, where a backslash escapes the next character
 * (RFC 9110 section 5.6.4).
 */
export function splitUnquoted(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  const separatorCode = separator.charCodeAt(0)
  let start = 0
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    // Character codes are compared, because `text[index]` would allocate a string for each character beyond
    // Latin-1.
    const code = text.charCodeAt(index)
    if (isQuoted && code === BACKSLASH) index++
    else if (code === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && code === separatorCode) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** The arguments for `max` of a text schema: the limit and the message. */
export const maxCharacters = (maximum: number) =>
  [maximum, `darf höchstens ${maximum} Zeichen haben`] as const
