import { expect, test } from 'bun:test'
import { archiveName, newestFirst, parseArchiveName } from './archive-name.ts'

const at = new Date(2026, 10, 15, 3, 30, 5).getTime()

test.each([
  ['fundus-2026-11-15-033005.tar', { complete: true, again: 0 }],
  ['fundus-2026-11-15-033005-unvollstaendig.tar', { complete: false, again: 0 }],
  ['fundus-2026-11-15-033005-2.tar', { complete: true, again: 2 }],
  ['fundus-2026-11-15-033005-1-unvollstaendig.tar', { complete: false, again: 1 }],
])('%s', (name, options) => {
  expect(archiveName(at, options)).toBe(name)
  expect(parseArchiveName(name)).toEqual({ name, at, ...options })
})

test.each([
  'fundus.tar',
  'fundus-2026-11-15-033005.tar.gz',
  'fundus-2026-11-15-033005.tar.teil',
  '.fundus-2026-11-15-033005.tar',
  'meine-fundus-2026-11-15-033005.tar',
  'fundus-2026-99-15-033005.tar',
  'fundus-2026-11-15-033005-alt.tar',
])('%s is none of ours', name => expect(parseArchiveName(name)).toBeNull())

test('those of one second are in the order in which they were made', () => {
  const made = [0, 1, 2, 10].map(again => parseArchiveName(archiveName(at, { complete: true, again }))!)
  const later = parseArchiveName(archiveName(at + 1000, { complete: false }))!
  const sorted = [made[2]!, later, ...made.filter(each => each.again !== 2)].sort(newestFirst)
  expect(sorted).toEqual([later, ...made.toReversed()])
})
