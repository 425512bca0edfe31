/** Conditional requests and ranges, RFC 9110 sections 13 and 14. */

import type { ByteRange } from '../../storage/storage.ts'
import type { RequestHead } from '../request-head.ts'
import { parseHttpDate } from './http-date.ts'

const ENTITY_TAGS = /(?:W\/)?("[^"]*")/g

/**
 * Whether a list of entity tags contains `etag`, compared weakly, so that `W/"a"` matches `"a"`. With
 * `isStrong`, a weak tag matches nothing.
 */
function matches(header: string, etag: string, isStrong: boolean): boolean {
  // The usual case: a single tag.
  if (header === etag || header.trim() === '*') return true
  for (const [whole, tag] of header.matchAll(ENTITY_TAGS))
    if (tag === etag && (whole === tag || !isStrong)) return true
  return false
}

/** `If-None-Match` compares weakly (section 13.1.2), `If-Match` strongly (section 13.1.1). */
export const matchesNone = (header: string, etag: string) => matches(header, etag, false)

/**
 * The entity tag and the modification time of a file, which distinguish its versions. `modified`: Unix
 * milliseconds of a whole second.
 */
export interface Validators {
  etag: string
  modified: number
}

type Fields = RequestHead['headers']

/** The time in a header; null if the header is missing or invalid, and so is ignored. */
function timeIn(headers: Fields, name: string): number | null {
  const text = headers.get(name)
  return text === null ? null : parseHttpDate(text)
}

/** Evaluates `If-Match`; without it, `If-Unmodified-Since` (section 13.1.4). If false, the answer is 412. */
export function isPreconditionMet(headers: Fields, { etag, modified }: Validators): boolean {
  const expected = headers.get('If-Match')
  if (expected !== null) return matches(expected, etag, true)
  const since = timeIn(headers, 'If-Unmodified-Since')
  return since === null || modified <= since
}

/**
 * Evaluates `If-None-Match`; without it, `If-Modified-Since` (section 13.1.3). If true, the answer is 304.
 */
export function isNotModified(headers: Fields, { etag, modified }: Validators): boolean {
  const known = headers.get('If-None-Match')
  if (known !== null) return matchesNone(known, etag)
  const since = timeIn(headers, 'If-Modified-Since')
  return since !== null && modified <= since
}

const UNIT = 'bytes='
const DIGITS = /^\d*$/

/**
 * Both ends of a single range as they are written; either may be empty. Null if the header is not a single
 * range of bytes.
 */
function endsOf(header: string): [from: string, to: string] | null {
  if (header.slice(0, UNIT.length).toLowerCase() !== UNIT) return null
  const dash = header.indexOf('-')
  if (dash < 0) return null
  const [from, to] = [header.slice(UNIT.length, dash).trim(), header.slice(dash + 1).trim()]
  return DIGITS.test(from) && DIGITS.test(to) && from + to !== '' ? [from, to] : null
}

/**
 * The part of the file that `Range` asks for. `whole`: the header is ignored because it has several ranges,
 * another unit, or an error (section 14.2 allows that). `outside`: the range is beyond the end of the file.
 */
export function requestedRange(header: string, size: number): ByteRange | 'whole' | 'outside' {
  const ends = endsOf(header)
  if (!ends) return 'whole'
  const [from, to] = ends
  if (from === '') {
    const last = Number(to)
    return last === 0 || size === 0 ? 'outside' : { start: Math.max(size - last, 0), end: size }
  }
  const start = Number(from)
  const end = to === '' ? size : Math.min(Number(to) + 1, size)
  if (to !== '' && Number(to) < start) return 'whole'
  return start >= size ? 'outside' : { start, end }
}

/** Whether the first range starts at byte 0. A `Range` that is ignored asks for the whole file. */
export function startsAtFirstByte(header: string, size: number): boolean {
  const [first = ''] = header.split(',', 1)
  const range = requestedRange(first, size)
  return range === 'whole' || (range !== 'outside' && range.start === 0)
}

/**
 * Evaluates `If-Range` (section 13.1.5): a range is sent only if the header has the file's strong tag or its
 * exact date, which no earlier content of the path had. An empty header counts as missing.
 */
export function rangeStillValid(ifRange: string | null, { etag, modified }: Validators): boolean {
  const given = ifRange?.trim()
  return !given || given === etag || parseHttpDate(given) === modified
}
