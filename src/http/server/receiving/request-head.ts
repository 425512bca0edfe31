/**
 * Parses the head of a request, RFC 9112. Ambiguous requests are refused: a proxy in front may have read them
 * differently, which allows request smuggling (section 11.2).
 */
import { HeaderFields } from './fields.ts'
import { hostOfTarget, normalizeTarget } from './request-target.ts'

export const MAX_HEAD_BYTES = 16 * 1024
const MAX_FIELDS = 200

export interface RequestHead {
  method: string
  /** Path and query in the form of a URL: dot segments resolved, unusual characters escaped. */
  target: string
  headers: HeaderFields
  /** Length of the body in bytes; 0: there is none. */
  length: number | 'chunked'
  keepAlive: boolean
  /** Whether the client understands chunked bodies, as clients do since HTTP/1.1. */
  supportsChunks: boolean
  /** Whether the client waits for a 100 before it sends its body (`Expect`). */
  expectsContinue: boolean
}

/** The status of the answer to an invalid head. */
export type RefusalStatus = 400 | 431 | 505

/** For each byte, 1 if it is allowed in field names and methods (RFC 9110 section 5.6.2). */
const IS_TOKEN_BYTE = new Uint8Array(256)
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  IS_TOKEN_BYTE[character.charCodeAt(0)] = 1

const [TAB, SPACE, COLON, DELETE] = [0x09, 0x20, 0x3a, 0x7f]
const LINE_END = '\r\n'

export const mayBeginHead = (byte: number) => IS_TOKEN_BYTE[byte] === 1 || byte === 0x0d

/** `text` is the head as Latin-1, without the empty line at its end. */
export function parseHead(text: string): RequestHead | RefusalStatus {
  const methodEnd = tokenEnd(text, 0)
  const lineEnd = text.indexOf(LINE_END)
  const targetEnd = text.lastIndexOf(' ', lineEnd)
  if (methodEnd === 0 || text.charCodeAt(methodEnd) !== SPACE || targetEnd <= methodEnd) return 400
  const version = text.slice(targetEnd + 1, lineEnd)
  const isHttp10 = version === 'HTTP/1.0'
  if (!isHttp10 && version !== 'HTTP/1.1') return version.startsWith('HTTP/') ? 505 : 400
  const sentTarget = text.slice(methodEnd + 1, targetEnd)
  const target = normalizeTarget(sentTarget)
  const fields = parseFields(text, lineEnd + LINE_END.length)
  if (target === null) return 400
  if (typeof fields === 'number') return fields
  const { headers, hostCount, announcesBody, asksToClose } = fields
  const length = announcesBody ? bodyLength(headers, isHttp10) : 0
  if (length === null || hostCount > 1 || (hostCount === 0 && !isHttp10)) return 400
  const host = hostOfTarget(sentTarget)
  return {
    method: text.slice(0, methodEnd),
    target,
    // If the request line has a URL with a host, that host replaces `Host` (RFC 9112 section 3.2.2).
    headers: host === undefined ? headers : headers.withField('host', host),
    length,
    supportsChunks: !isHttp10,
    keepAlive: !isHttp10 && !asksToClose,
    expectsContinue: announcesBody && !isHttp10 && listContains(headers.get('expect'), '100-continue'),
  }
}

/** The end of the token that starts at `position`. */
function tokenEnd(text: string, position: number): number {
  while (IS_TOKEN_BYTE[text.charCodeAt(position)] === 1) position++
  return position
}

/**
 * Parses the field lines of `text` from `begin` on; each must have its line end. Returns the status of the
 * refusal if they are invalid.
 */
export function parseFields(text: string, begin: number) {
  let hostCount = 0
  /** Whether a field announces a body. */
  let announcesBody = false
  /** Whether a field says `Connection: close`. */
  let asksToClose = false
  const names: string[] = []
  const values: string[] = []
  for (let position = begin; position < text.length; ) {
    const colonIndex = tokenEnd(text, position)
    // This also refuses a space before the colon and continued lines (obs-fold).
    if (colonIndex === position || text.charCodeAt(colonIndex) !== COLON) return 400
    const end = text.indexOf(LINE_END, colonIndex)
    const value = fieldValue(text, colonIndex + 1, end)
    if (value === null) return 400
    const name = text.slice(position, colonIndex).toLowerCase()
    if (names.push(name) > MAX_FIELDS) return 431
    values.push(value)
    if (name === 'host') hostCount++
    else if (name === 'content-length' || name === 'transfer-encoding') announcesBody = true
    else if (name === 'connection') asksToClose ||= listContains(value, 'close')
    position = end + LINE_END.length
  }
  return { headers: new HeaderFields(names, values), hostCount, announcesBody, asksToClose }
}

/**
 * The value between `start` and `end` without surrounding whitespace; null if it contains a control character
 * other than a tab.
 */
function fieldValue(text: string, start: number, end: number): string | null {
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  for (let position = start; position < end; position++) {
    const code = text.charCodeAt(position)
    if ((code < SPACE && code !== TAB) || code === DELETE) return null
  }
  return text.slice(start, end)
}

const isBlank = (code: number) => code === SPACE || code === TAB

const LENGTH_PATTERN = /^\d{1,15}$/

/**
 * The length of the body; 0 if no header announces one. Null if the length cannot be determined (RFC 9112
 * section 6.3): `Content-Length` is malformed, or `Transfer-Encoding` is not exactly `chunked`, comes with
 * `Content-Length` or comes with HTTP/1.0.
 */
function bodyLength(headers: HeaderFields, isHttp10: boolean): number | 'chunked' | null {
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  if (coding !== null)
    return coding.toLowerCase() === 'chunked' && length === null && !isHttp10 ? 'chunked' : null
  if (length === null) return 0
  return LENGTH_PATTERN.test(length) ? Number(length) : null
}

/** Whether a comma-separated header contains this word. */
const listContains = (header: string | null, token: string) =>
  header?.split(',').some(entry => entry.trim().toLowerCase() === token) ?? false
