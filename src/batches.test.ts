import { expect, test } from 'bun:test'
import { batches } from './batches.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

test.each([
  [0, []],
  [1, [1]],
  [2, [2]],
  [3, [2, 1]],
  [4, [2, 2]],
])('%d items in groups of 2: %j', async (count, sizes) => {
  const groups = await Array.fromAsync(batches(numbers(count), 2))
  expect(groups.map(group => group.length)).toEqual(sizes)
  expect(groups.flat()).toEqual(numbers(count))
})
