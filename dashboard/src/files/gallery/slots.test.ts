import { expect, test } from 'bun:test'
import { recycleSlots } from './slots.ts'

const of = (...ids: string[]) => recycleSlots(new Map(), ids)

test.each([
  ['another page takes over all elements, in their order', ['a', 'b', 'c'], ['d', 'e', 'f'], [0, 1, 2]],
  ['what stays keeps its element', ['a', 'b', 'c'], ['a', 'c'], [0, 2]],
  ['also in another order', ['a', 'b', 'c'], ['c', 'a', 'b'], [2, 0, 1]],
  ['a new one beside it gets a new element', ['a', 'b', 'c'], ['a', 'c', 'd'], [0, 2, 3]],
  ['also where it comes first', ['a', 'b'], ['x', 'a', 'b'], [2, 0, 1]],
  ['a longer page takes over what there is', ['a', 'b'], ['c', 'd', 'e'], [0, 1, 2]],
  ['nothing', ['a'], [], []],
])('%s', (_what, before, after, slots) => {
  expect([...recycleSlots(of(...before), after).values()]).toEqual(slots)
})

test('no two files share an element, whatever was before', () => {
  let slots = of('a', 'b', 'c', 'd')
  for (const ids of [['b', 'e'], ['e', 'f', 'g', 'b', 'h', 'i'], ['i'], ['a', 'i', 'k', 'l']]) {
    slots = recycleSlots(slots, ids)
    expect(new Set(slots.values()).size).toBe(ids.length)
  }
})
