import { expect, test } from 'bun:test'
import { parseHttpDate } from './http-date.ts'

const NOVEMBER = Date.UTC(1994, 10, 6, 8, 49, 37)

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', NOVEMBER],
  ['Sunday, 06-Nov-94 08:49:37 GMT', NOVEMBER],
  ['Sun Nov  6 08:49:37 1994', NOVEMBER],
  ['Wed Nov 16 08:49:37 1994', Date.UTC(1994, 10, 16, 8, 49, 37)],
  ['  Sun, 06 Nov 1994 08:49:37 GMT ', NOVEMBER],
  ['Tue, 29 Feb 2028 00:00:00 GMT', Date.UTC(2028, 1, 29)],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  // Two digits stand for a year at most fifty years ahead.
  ['Friday, 01-Jan-27 00:00:00 GMT', Date.UTC(2027, 0, 1)],
])('%s', (text, time) => expect(parseHttpDate(text)).toBe(time))

test.each([
  '',
  'now',
  '0',
  '784111777',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 UTC',
  'Sun, 06 Nov 1994 08:49:37 +0000',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun, 31 Feb 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 24:49:37 GMT',
  'Sun, 06 Nov 1994 08:61:37 GMT',
  'Sun, 06 nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
])('%j is no HTTP date', text => expect(parseHttpDate(text)).toBeNull())
