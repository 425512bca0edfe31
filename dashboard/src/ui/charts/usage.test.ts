import { expect, test } from 'bun:test'
import { usageLevel } from './usage.ts'

test.each([
  [0, 100, 0, 'fine'],
  [79, 100, 0.79, 'fine'],
  [80, 100, 0.8, 'near'],
  [95, 100, 0.95, 'full'],
  [150, 100, 1.5, 'full'],
  [0, 0, 0, 'fine'],
  [5, 0, 1, 'full'],
] as const)('%d of %d', (used, bound, share, level) => {
  expect(usageLevel(used, bound)).toEqual({ share, level })
})
