/** Conditional requests and ranges, RFC 9110 sections 13 and 14. */

import type { ByteRange } from '../../storage/storage.ts'
import type { BodilessRequest } from '../bodiless-request.ts'
import { parseHttpDate } from './http-date.ts'

const ENTITY_TAGS = /(?:W\/)?("[^"]*")/g

/**
 * Whether a list of entity tags contains `etag`, compared weakly, so that `W/"a"` matches `"a"`. With
 * `isStrong`, a weak tag matches nothing. `*` matches every tag.
 */
function listsTag(header: string, etag: string, isStrong: boolean): boolean {
  // A single tag is the usual case, so it is compared first.
  if (header === etag || header.trim() === '*') return true
  for (const [sentTag, tag] of header.matchAll(ENTITY_TAGS))
    if (tag === etag && (sentTag === tag || !isStrong)) return true
  return false
}

/** Whether `If-None-Match` lists the tag, compared weakly (RFC 9110 section 13.1.2). */
export const matchesIfNoneMatch = (header: string, etag: string) => listsTag(header, etag, false)

/**
 * The entity tag and the modification time of a file, which distinguish its versions. `modified` is in Unix
 * milliseconds and a multiple of 1000.
 */
export interface Validators {
  etag: string
  modified: number
}

type RequestHeaders = BodilessRequest['headers']

/** The time in a header; null if the header is missing, or invalid and therefore ignored. */
function timeInHeader(headers: RequestHeaders, name: string): number | null {
  const text = headers.get(name)
  return text === null ? null : parseHttpDate(text)
}

/**
 * Evaluates `If-Match` (a strong comparison); without it, `If-Unmodified-Since` (RFC 9110 section 13.1.4). If
 * false, the answer is 412.
 */
export function isPreconditionMet(headers: RequestHeaders, { etag, modified }: Validators): boolean {
  const expectedTags = headers.get('If-Match')
  if (expectedTags !== null) return listsTag(expectedTags, etag, true)
  const unmodifiedSince = timeInHeader(headers, 'If-Unmodified-Since')
  return unmodifiedSince === null || modified <= unmodifiedSince
}

/**
 * Evaluates `If-None-Match`; without it, `If-Modified-Since` (RFC 9110 section 13.1.3). If true, the answer
 * is 304.
 */
export function isNotModified(headers: RequestHeaders, { etag, modified }: Validators): boolean {
  const knownTags = headers.get('If-None-Match')
  if (knownTags !== null) return matchesIfNoneMatch(knownTags, etag)
  const modifiedSince = timeInHeader(headers, 'If-Modified-Since')
  return modifiedSince !== null && modified <= modifiedSince
}

const BYTES_UNIT = 'bytes='
const OPTIONAL_DIGITS = /^\d*$/

/**
 * The digits before and after the dash of a single range; either may be empty. Null if the header is not a
 * single range of bytes.
 */
function parseSingleRange(header: string): [from: string, to: string] | null {
  if (header.slice(0, BYTES_UNIT.length).toLowerCase() !== BYTES_UNIT) return null
  const dashIndex = header.indexOf('-')
  if (dashIndex < 0) return null
  const [from, to] = [header.slice(BYTES_UNIT.length, dashIndex).trim(), header.slice(dashIndex + 1).trim()]
  return OPTIONAL_DIGITS.test(from) && OPTIONAL_DIGITS.test(to) && from + to !== '' ? [from, to] : null
}

/**
 * The part of the file that `Range` asks for. `whole`: the header is ignored because it has several ranges,
 * another unit, or an error (RFC 9110 section 14.2). `outside`: no byte of the file is in the range.
 */
export function requestedRange(header: string, size: number): ByteRange | 'whole' | 'outside' {
  const ends = parseSingleRange(header)
  if (!ends) return 'whole'
  const [from, to] = ends
  if (from === '') {
    const suffixLength = Number(to)
    return suffixLength === 0 || size === 0
      ? 'outside'
      : { start: Math.max(size - suffixLength, 0), end: size }
  }
  const start = Number(from)
  const end = to === '' ? size : Math.min(Number(to) + 1, size)
  if (to !== '' && Number(to) < start) return 'whole'
  return start >= size ? 'outside' : { start, end }
}

/**
 * Whether the first range in the header starts at byte 0. True for an invalid range: it is ignored, and the
 * answer is the whole file.
 */
export function startsAtFirstByte(header: string, size: number): boolean {
  const [firstRange = ''] = header.split(',', 1)
  const range = requestedRange(firstRange, size)
  return range === 'whole' || (range !== 'outside' && range.start === 0)
}

/**
 * Evaluates `If-Range` (RFC 9110 section 13.1.5). If the header is present, a range is sent only if it
 * contains the strong tag or the exact date of the current version of the file. An empty header counts as
 * missing.
 */
export function isRangeStillValid(ifRange: string | null, { etag, modified }: Validators): boolean {
  const validator = ifRange?.trim()
  return !validator || validator === etag || parseHttpDate(validator) === modified
}
