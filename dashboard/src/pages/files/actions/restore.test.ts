import { expect, test } from 'bun:test'
import { pickBelow, pickByPath } from './restore.ts'

/** Newest first, as the trash lists them. */
const TRASH = ['items/a.png', 'other.png', 'items/b.png', 'items/a.png', 'items2/a.png', 'items/c.png'].map(
  (path, at) => ({ nr: 100 - at, path }),
)
const numbers = (picking: ReturnType<typeof pickByPath>) =>
  TRASH.filter(entry => picking.pick(entry)).map(({ nr }) => nr)

test('of two entries of a path the newer one is ours', () => {
  expect(numbers(pickByPath(['items/a.png', 'items/b.png']))).toEqual([100, 98])
})

test('a path that is not there is never done, and takes nothing else', () => {
  const picking = pickByPath(['gone.png'])
  expect(numbers(picking)).toEqual([])
  expect(picking.isDone()).toBe(false)
})

test('below a folder, on the boundary of its name, and no more than were deleted', () => {
  const picking = pickBelow('items', 3)
  expect(numbers(picking)).toEqual([100, 98, 97])
  expect(picking.isDone()).toBe(true)
})
