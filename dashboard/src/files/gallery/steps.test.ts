import { expect, test } from 'bun:test'
import { type Arrow, stepFrom } from './steps.ts'

/** Ten cards in rows of four: the last row has two. */
test.each<[number, Arrow, number]>([
  [-1, 'ArrowDown', 0],
  [0, 'ArrowRight', 1],
  [3, 'ArrowRight', 4],
  [0, 'ArrowLeft', 0],
  [1, 'ArrowUp', 1],
  [5, 'ArrowUp', 1],
  [1, 'ArrowDown', 5],
  [5, 'ArrowDown', 9],
  [7, 'ArrowDown', 9],
  [9, 'ArrowDown', 9],
  [9, 'ArrowRight', 9],
])('from %i by %s to %i', (at, key, expected) => {
  expect(stepFrom(at, key, 10, 4)).toBe(expected)
})

test('nowhere to go in an empty folder', () => {
  expect(stepFrom(-1, 'ArrowDown', 0, 1)).toBe(-1)
})
