import { expect, test } from 'bun:test'
import { overlaps, rectangleOf } from './use-rubber-band.ts'

test('drawn in any direction it is the same box', () => {
  const box = { left: 1, top: 2, right: 5, bottom: 8 }
  expect(rectangleOf({ x: 1, y: 2 }, { x: 5, y: 8 })).toEqual(box)
  expect(rectangleOf({ x: 5, y: 8 }, { x: 1, y: 2 })).toEqual(box)
  expect(rectangleOf({ x: 5, y: 2 }, { x: 1, y: 8 })).toEqual(box)
})

test.each([
  ['across a corner', { left: 5, top: 5, right: 20, bottom: 20 }, true],
  ['all around it', { left: -5, top: -5, right: 20, bottom: 20 }, true],
  ['inside it', { left: 4, top: 4, right: 6, bottom: 6 }, true],
  ['beside it', { left: 11, top: 0, right: 20, bottom: 10 }, false],
  ['only at its edge', { left: 10, top: 0, right: 20, bottom: 10 }, false],
])('%s: %p', (_what, box, expected) => {
  expect(overlaps({ left: 0, top: 0, right: 10, bottom: 10 }, box)).toBe(expected)
})
