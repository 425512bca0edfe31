/**
 * Reads the address in the request line as the URL standard does: dot segments are resolved before any route
 * sees them.
 */

/**
 * Matches a path and query that need not be parsed as a URL, unless a segment begins with a dot. Parsing
 * would leave them unchanged, except for a `'` in the query.
 */
const USUAL_TARGET_PATTERN = /^\/[\w\-~!$&'()*+,;=:@/.?]*$/
/**
 * Matches the beginning of a URL. The second group is the host, which must not be empty (RFC 9110 section
 * 4.2.1).
 */
const ORIGIN_PATTERN = /^https?:\/\/([^/?#@]*@)?([^/?#@]+)/i
const VISIBLE_CHARACTERS = /^[!-~\x80-\xff]+$/
/**
 * Characters that are percent-encoded before the target is parsed as a URL. Parsing would turn a byte beyond
 * ASCII into two bytes. It would also turn a backslash into a slash, although a proxy in front has checked
 * the path with the backslash.
 */
const CHARACTERS_TO_ESCAPE = /[\\\x80-\xff]/g
const percentEncode = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`

/**
 * Path and query of the request line in the form of a URL. Null if it contains spaces or control characters,
 * or is neither a path nor an `http` or `https` URL, as in `CONNECT host:443` and `OPTIONS *`.
 */
export function normalizeTarget(target: string): string | null {
  if (USUAL_TARGET_PATTERN.test(target) && !target.includes('/.')) return target
  const path = target.replace(ORIGIN_PATTERN, '')
  const isPath = path.startsWith('/') || (path !== target && (path === '' || path.startsWith('?')))
  if (!isPath || !VISIBLE_CHARACTERS.test(target)) return null
  const { pathname, search } = new URL(`http://host${path.replace(CHARACTERS_TO_ESCAPE, percentEncode)}`)
  return pathname + search
}

/** The host of a target that is a URL; undefined if the target is a path. */
export const hostOfTarget = (target: string) =>
  target.startsWith('/') ? undefined : ORIGIN_PATTERN.exec(target)?.[2]
