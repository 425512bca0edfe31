import { expect, test } from 'bun:test'
import type { FileAnswer } from '../types.ts'
import { retrievalsOf, sumRetrievals } from './retrievals.ts'

const files = (...counts: number[]) => counts.map(abrufe => ({ abrufe }) as FileAnswer)

test('of some files: the sum', () => {
  expect(retrievalsOf(files(3, 0, 4))).toEqual({ fileCount: 3, retrievalCount: 7, isExact: true })
})

test.each([
  ['all of them seen', files(5, 2), 2, true],
  ['more, but the last one seen was never retrieved', files(5, 0), 900, true],
  ['more, and those were retrieved too', files(5, 2), 900, false],
])('of a folder: %s', (_what, dateien, gesamt, exact) => {
  expect(sumRetrievals({ dateien, gesamt })).toMatchObject({ fileCount: gesamt, isExact: exact })
})
