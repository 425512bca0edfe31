import { describe, expect, test } from 'bun:test'
import { bytesOf, changed, extentOf, toggled } from './selection.ts'

const page = [9, 7, 5, 3, 1].map(nr => ({ nr, size: nr * 10 }))
const of = (...numbers: number[]) => new Map(numbers.map(nr => [nr, nr * 10]))
const numbers = (selection: ReadonlyMap<number, number>) => [...selection.keys()].toSorted((a, b) => b - a)

describe('one after the other', () => {
  test('in, and out again', () => {
    const once = toggled(of(), page, 5, null)
    expect(numbers(once)).toEqual([5])
    expect(numbers(toggled(once, page, 5, null))).toEqual([])
  })

  test('what is not on the page changes nothing', () => {
    expect(toggled(of(9), page, 4, 9)).toEqual(of(9))
  })
})

describe('with the anchor of the click before', () => {
  test.each([
    ['downwards', of(7), 3, 7, [7, 5, 3]],
    ['upwards', of(3), 9, 3, [9, 7, 5, 3]],
    ['out of the selection alike', of(9, 7, 5), 7, 5, [9]],
    ['an anchor of another page counts for nothing', of(44), 5, 44, [44, 5]],
  ])('%s', (_, before, nr, anchor, after) => {
    expect(numbers(toggled(before, page, nr, anchor))).toEqual(after)
  })
})

test('a page all at once, without losing another page', () => {
  const all = changed(of(44), page, true)
  expect(numbers(all)).toEqual([44, 9, 7, 5, 3, 1])
  expect(numbers(changed(all, page, false))).toEqual([44])
})

test.each([
  [of(), 'none'],
  [of(44), 'none'],
  [of(9), 'some'],
  [of(9, 7, 5, 3, 1, 44), 'all'],
] as const)('how much of the page: %p', (selection, extent) => expect(extentOf(selection, page)).toBe(extent))

test('the sum is that of all pages', () => expect(bytesOf(of(9, 44))).toBe(530))
