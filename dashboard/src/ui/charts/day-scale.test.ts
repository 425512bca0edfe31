import { expect, test } from 'bun:test'
import { dayIndexAt, dayIndexByKey, noonOf, topFigure, topFigureOfBytes } from './day-scale.ts'

test.each([
  [[], 1],
  [[0, 0], 1],
  [[1], 1],
  [[2, 3], 3],
  [[5], 5],
  [[6], 6],
  [[7], 8],
  [[9], 10],
  [[10], 10],
  [[11], 20],
  [[99], 100],
  [[1204, 3], 2000],
  [[5001], 6000],
])('above %j comes %d', (counts, top) => expect(topFigure(counts)).toBe(top))

test.each([
  [0, 1],
  [700, 800],
  [1024, 1024],
  [3 * 1024, 3 * 1024],
  [150 * 1024 ** 2, 200 * 1024 ** 2],
  [1000 * 1024 ** 2, 1000 * 1024 ** 2],
  [1001 * 1024 ** 2, 1024 ** 3],
])('above %d bytes comes %d', (bytes, top) => expect(topFigureOfBytes([bytes])).toBe(top))

test.each([
  [-0.1, 0],
  [0, 0],
  [0.0333, 0],
  [0.5, 15],
  [0.999, 29],
  [1, 29],
])('at %d is day %d', (x, day) => expect(dayIndexAt(x, 30)).toBe(day))

test.each([
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 29, 29],
  ['ArrowLeft', 5, 4],
  ['PageDown', 5, 0],
  ['PageUp', 5, 12],
  ['Home', 5, 0],
  ['End', 5, 29],
  ['a', 5, undefined],
])('%s from %d leads to %p', (key, from, to) => expect(dayIndexByKey(key, from, 30)).toBe(to!))

test('a day stays that day', () => expect(noonOf('2026-11-15').getDate()).toBe(15))
