/** Conditional requests and ranges, RFC 9110 sections 13 and 14. */
import type { ByteRange } from '../storage/storage.ts'

const ENTITY_TAGS = /(?:W\/)?("[^"]*")/g

/** `If-None-Match`: weak comparison, so `W/"a"` matches `"a"` (section 13.1.2). */
export function matchesNone(header: string, etag: string): boolean {
  // As nearly every client sends it: its one tag.
  if (header === etag || header.trim() === '*') return true
  for (const [, tag] of header.matchAll(ENTITY_TAGS)) if (tag === etag) return true
  return false
}

const UNIT = 'bytes='
const DIGITS = /^\d*$/

/**
 * Both ends of a single range as they were written; either end may be empty. Null when the header is not a single
 * range.
 */
function endsOf(header: string): [from: string, to: string] | null {
  if (header.slice(0, UNIT.length).toLowerCase() !== UNIT) return null
  const dash = header.indexOf('-')
  if (dash < 0) return null
  const [from, to] = [header.slice(UNIT.length, dash).trim(), header.slice(dash + 1).trim()]
  return DIGITS.test(from) && DIGITS.test(to) && from + to !== '' ? [from, to] : null
}

/**
 * The part of the file that a `Range` header asks for. `whole` when the service does not answer such a header (several
 * ranges, another unit, malformed: section 14.2 lets a server ignore those). `outside` when the range lies beyond the
 * file.
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

/**
 * Whether a `Range` header asks from the first byte on; of several ranges the first one decides. A header that is not
 * answered asks for the whole.
 */
export function startsAtFirstByte(header: string, size: number): boolean {
  const [first = ''] = header.split(',', 1)
  const range = requestedRange(first, size)
  return range === 'whole' || (range !== 'outside' && range.start === 0)
}

/**
 * `If-Range`: the range is answered only if the header is a strong tag that is still the tag of the file. A date never
 * matches, because the service sends no dates. An empty header counts as a missing one.
 */
export function rangeStillValid(ifRange: string | null, etag: string): boolean {
  return !ifRange?.trim() || ifRange.trim() === etag
}
