import { expect, test } from 'bun:test'
import { pages } from './pages.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
])('%d rows in pages of 2 are asked for %d times, each after the last one', async (count, asked) => {
  const after: unknown[] = []
  const next = async (last: number | undefined) => {
    after.push(last)
    return numbers(count)
      .filter(row => last === undefined || row > last)
      .slice(0, 2)
  }
  const found = await Array.fromAsync(pages(2, next))
  expect(found.flat()).toEqual(numbers(count))
  expect(found.every(page => page.length > 0)).toBe(true)
  expect(after).toHaveLength(asked)
  expect(after[0]).toBeUndefined()
})
