import { expect, test } from 'bun:test'
import { DAY } from '../../../contract/values/units.ts'
import { archivesToRemove, keepReasons } from './retention.ts'

/** All archives are of one day, newest first: `+` is complete, `-` incomplete. */
const list = (marks: string) =>
  [...marks].map((mark, at) => ({ nr: at, createdAt: -at, isComplete: mark === '+' }))

test.each([
  ['', 3, []],
  ['+++', 3, []],
  ['+++++', 3, [3, 4]],
  ['+', 1, []],
  // The newest complete one stays however many incomplete ones came after it.
  ['---+', 2, [2]],
  ['---++', 2, [2, 4]],
  ['-----', 2, [2, 3, 4]],
  ['-+-+', 1, [2, 3]],
])('of %j with %d to keep go %j', (marks, count, gone) =>
  expect(archivesToRemove(list(marks), { count, weeks: 0, months: 0 }).map(({ nr }) => nr)).toEqual(gone),
)

const day = (text: string) => ({ text, createdAt: new Date(`${text}T12:00:00`).getTime(), isComplete: true })
/** One archive a day, the newest on Wednesday, 18 November 2026. */
const daily = (days: number) =>
  Array.from({ length: days }, (_, back) => {
    const at = new Date('2026-11-18T12:00:00').getTime() - back * DAY
    return day(new Date(at).toISOString().slice(0, 10))
  })
const reasonsOf = (archives: ReturnType<typeof daily>, retention: Parameters<typeof keepReasons>[1]) =>
  [...keepReasons(archives, retention)]
    .filter(([, why]) => why.length > 0)
    .map(([{ text }, why]) => [text, why])

test('beside the newest stay the newest of each week and month, with the reasons', () => {
  expect(reasonsOf(daily(100), { count: 2, weeks: 3, months: 3 })).toEqual([
    ['2026-11-18', ['anzahl', 'woche', 'monat', 'vollstaendig']],
    ['2026-11-17', ['anzahl']],
    ['2026-11-15', ['woche']],
    ['2026-11-08', ['woche']],
    ['2026-10-31', ['monat']],
    ['2026-09-30', ['monat']],
  ])
})

test('without weeks and months only the count decides', () => {
  expect(reasonsOf(daily(30), { count: 2, weeks: 0, months: 0 }).map(([text]) => text)).toEqual([
    '2026-11-18',
    '2026-11-17',
  ])
})

test('a week whose newest archive is incomplete keeps its newest complete one', () => {
  const archives = [day('2026-11-18'), { ...day('2026-11-15'), isComplete: false }, day('2026-11-14')]
  expect(reasonsOf(archives, { count: 1, weeks: 2, months: 0 }).map(([text]) => text)).toEqual([
    '2026-11-18',
    '2026-11-14',
  ])
})

test('weeks and months without an archive do not count', () => {
  const archives = [day('2026-11-18'), day('2026-06-10'), day('2025-01-01')]
  expect(archivesToRemove(archives, { count: 1, weeks: 2, months: 0 }).map(({ text }) => text)).toEqual([
    '2025-01-01',
  ])
  expect(archivesToRemove(archives, { count: 1, weeks: 0, months: 3 })).toEqual([])
})
