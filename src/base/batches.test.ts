import { expect, test } from 'bun:test'
import { batches, readPages, streamBatches } from './batches.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, nr) => nr + 1)

test.each([
  [0, []],
  [2, [[1, 2]]],
  [3, [[1, 2, 3]]],
  [4, [[1, 2, 3], [4]]],
])('%p items in batches of three', async (count, expected) => {
  expect([...batches(upTo(count), 3)]).toEqual(expected)
  const one = (async function* () {
    yield* upTo(count)
  })()
  expect(await Array.fromAsync(streamBatches(one, batch => batch.length === 3))).toEqual(expected)
})

test.each([
  [0, [], 1],
  [2, [[1, 2]], 1],
  [3, [[1, 2, 3]], 2],
  [4, [[1, 2, 3], [4]], 2],
])('%p rows in pages of three: a page that is not full is the last one', async (count, expected, asked) => {
  let questions = 0
  const read = async (last = 0, limit = 0) => {
    questions++
    return upTo(count)
      .filter(nr => nr > last)
      .slice(0, limit)
  }
  expect(await Array.fromAsync(readPages(read, 3))).toEqual(expected)
  expect(questions).toBe(asked)
})
