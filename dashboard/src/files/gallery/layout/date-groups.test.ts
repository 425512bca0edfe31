import { expect, test } from 'bun:test'
import type { SortOrder } from '../../../../../src/contract/files/choices.ts'
import type { FileAnswer } from '../../types.ts'
import { dateGroups } from './date-groups.ts'

const NOW = new Date(2026, 10, 18, 9, 30).getTime()
const words = {
  today: 'heute',
  yesterday: 'gestern',
  week: 'Woche',
  neverViewed: 'nie',
  month: (at: number) => `${new Date(at).getMonth() + 1}.${new Date(at).getFullYear()}`,
}
const file = (updated_at: number, zuletzt_abgerufen: number | null = null) =>
  ({ updated_at, zuletzt_abgerufen }) as FileAnswer
const day = (year: number, month: number, date: number, hour = 12) =>
  new Date(year, month - 1, date, hour).getTime()
const groups = (files: FileAnswer[], order: SortOrder) =>
  dateGroups(files, order, words, NOW).map(({ text, files: under }) => `${text} ${under.length}`)

test('the last days by themselves, then months', () => {
  const files = [
    file(NOW + 60_000),
    file(day(2026, 11, 18, 0)),
    file(day(2026, 11, 17, 23)),
    file(day(2026, 11, 16)),
    file(day(2026, 11, 12, 0)),
    file(day(2026, 11, 11, 23)),
    file(day(2026, 11, 1)),
    file(day(2026, 10, 31)),
    file(day(2025, 10, 31)),
  ]
  const expected = ['heute 2', 'gestern 1', 'Woche 2', '11.2026 2', '10.2026 1', '10.2025 1']
  expect(groups(files, 'updated_at')).toEqual(expected)
})

test('what was never viewed has a heading of its own', () => {
  expect(groups([file(0, NOW), file(0), file(0)], 'zuletzt_abgerufen')).toEqual(['heute 1', 'nie 2'])
})

test.each(['name', 'size', 'abrufe'] as const)('sorted by %s there are no headings', order => {
  expect(groups([file(NOW), file(0)], order)).toEqual([' 2'])
})

test('no files, no headings', () => {
  expect(groups([], 'updated_at')).toEqual([])
})
