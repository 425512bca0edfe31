import { expect, test } from 'bun:test'
import { TOKEN_LIMITS } from '../../contract/accounts/token-limits.ts'
import { parseLimit } from './token-limits.ts'

const validUntil = TOKEN_LIMITS.find(({ kind }) => kind === 'time')!

test.each([
  ['2027-01-31', new Date(2027, 0, 31)],
  ['2028-02-29', new Date(2028, 1, 29)],
  ['2027-01-31T23:30', new Date(2027, 0, 31, 23, 30)],
  // The day in the zone of this machine may be another one.
  ['2027-01-31T23:30Z', new Date('2027-01-31T23:30:00.000Z')],
  ['2027-01-31T23:30-11:00', new Date('2027-02-01T10:30:00.000Z')],
  ['2027-01-31T00:30+13:00', new Date('2027-01-30T11:30:00.000Z')],
])('%s is a time', (text, time) => expect(parseLimit(validUntil, text)).toBe(time.getTime()))

test.each([
  '',
  'morgen',
  '2027',
  '2027-01',
  '2027-02-31',
  '2027-02-29T12:00Z',
  '2027-13-01',
  '31.1.2027',
  '2027-1-5',
])('%j is no date', text => expect(() => parseLimit(validUntil, text)).toThrow(/kein Datum/))
