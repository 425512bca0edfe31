import { describe, expect, test } from 'bun:test'
import { useTimeZone } from '../../../../test/support/time-zone.ts'
import { archiveName, newestFirst, parseArchiveName } from './archive-name.ts'

const at = new Date(2026, 10, 15, 3, 30, 5).getTime()

test.each([
  ['fundus-2026-11-15-033005.tar', { isComplete: true, sequence: 0 }],
  ['fundus-2026-11-15-033005-unvollstaendig.tar', { isComplete: false, sequence: 0 }],
  ['fundus-2026-11-15-033005-2.tar', { isComplete: true, sequence: 2 }],
  ['fundus-2026-11-15-033005-1-unvollstaendig.tar', { isComplete: false, sequence: 1 }],
])('%s', (name, options) => {
  expect(archiveName(at, options)).toBe(name)
  expect(parseArchiveName(name)).toEqual({ name, createdAt: at, ...options })
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
  const made = [0, 1, 2, 10].map(
    sequence => parseArchiveName(archiveName(at, { isComplete: true, sequence }))!,
  )
  const later = parseArchiveName(archiveName(at + 1000, { isComplete: false }))!
  const sorted = [made[2]!, later, ...made.filter(each => each.sequence !== 2)].sort(newestFirst)
  expect(sorted).toEqual([later, ...made.toReversed()])
})

describe('the hour that the clocks show twice in autumn', () => {
  useTimeZone('Europe/Berlin')
  // 02:30 summer time, 02:10 winter time, 02:59:59 winter time, 03:00.
  const moments = ['00:30:00', '01:10:00', '01:59:59', '02:00:00'].map(time =>
    Date.parse(`2026-10-25T${time}Z`),
  )

  test('archives made in it sort by age, and each name tells its moment', () => {
    const names = moments.map(moment => archiveName(moment, { isComplete: true }))
    expect(names.map(name => parseArchiveName(name)?.createdAt)).toEqual(moments)
    const sorted = names.map(name => parseArchiveName(name)!).sort(newestFirst)
    expect(sorted.map(({ name }) => name)).toEqual(names.toReversed())
  })

  test('only names of its second pass differ from the usual form', () =>
    expect(moments.map(moment => archiveName(moment, { isComplete: true, sequence: 1 }))).toEqual([
      'fundus-2026-10-25-023000-1.tar',
      'fundus-2026-10-25-021000b-1.tar',
      'fundus-2026-10-25-025959b-1.tar',
      'fundus-2026-10-25-030000-1.tar',
    ]))

  test('the mark of a second pass is none of ours where the clocks show the time once', () =>
    expect(parseArchiveName('fundus-2026-10-26-021000b.tar')).toBeNull())
})
