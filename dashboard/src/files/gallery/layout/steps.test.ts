import { describe, expect, test } from 'bun:test'
import { type ArrowKey, createStepper, indexAfterStep } from './steps.ts'

const row = (top: number, ...widths: number[]) => {
  let left = 0
  return widths.map(width => {
    const box = { left, top, width, height: 90 }
    left += width + 10
    return box
  })
}

/** Ten cards in rows of four: the last row has two. */
const GRID = [...row(0, 90, 90, 90, 90), ...row(100, 90, 90, 90, 90), ...row(200, 90, 90)]

test.each<[number, ArrowKey, number]>([
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
])('squares: from %i by %s to %i', (at, key, expected) => {
  expect(indexAfterStep(at, key, GRID)).toBe(expected)
})

/** A panorama above two, above three: 0 / 1 2 / 3 4 5. */
const ROWS = [...row(0, 400), ...row(100, 95, 295), ...row(200, 60, 60, 260)]

describe('justified rows', () => {
  test.each<[number, ArrowKey, number]>([
    [0, 'ArrowDown', 2],
    [1, 'ArrowDown', 3],
    [2, 'ArrowDown', 5],
    [2, 'ArrowUp', 0],
    [4, 'ArrowUp', 1],
    [5, 'ArrowUp', 2],
  ])('from %i by %s to %i, which lies under its middle', (at, key, expected) => {
    expect(indexAfterStep(at, key, ROWS)).toBe(expected)
  })

  test('a walk keeps its column across a panorama, until it goes sideways', () => {
    const boxes = [...row(0, 95, 295), ...row(100, 400), ...row(200, 95, 295)]
    const step = createStepper()
    expect(step(0, 'ArrowDown', boxes)).toBe(2)
    expect(step(2, 'ArrowDown', boxes)).toBe(3)
    expect(step(3, 'ArrowRight', boxes)).toBe(4)
    expect(step(4, 'ArrowUp', boxes)).toBe(2)
    expect(step(2, 'ArrowUp', boxes)).toBe(1)
  })
})

test('nowhere to go in an empty folder', () => {
  expect(indexAfterStep(-1, 'ArrowDown', [])).toBe(-1)
})
