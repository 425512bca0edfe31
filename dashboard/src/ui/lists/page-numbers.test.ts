import { expect, test } from 'bun:test'
import { pageNumbers } from './page-numbers.ts'

test.each<[number, number, string]>([
  [1, 1, '1'],
  [1, 2, '1 2'],
  [1, 5, '1 2 3 4 5'],
  [1, 9, '1 2 3 … 9'],
  [4, 9, '1 2 3 4 5 6 … 9'],
  [5, 9, '1 2 3 4 5 6 7 8 9'],
  [6, 20, '1 … 4 5 6 7 8 … 20'],
  [20, 20, '1 … 18 19 20'],
  [7, 3, '1 2 3'],
])('page %d of %d', (page, pages, expected) => {
  expect(
    pageNumbers(page, pages)
      .map(each => each ?? '…')
      .join(' '),
  ).toBe(expected)
})
