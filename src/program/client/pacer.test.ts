import { expect, test } from 'bun:test'
import { createPacer } from './pacer.ts'

test('calls begin evenly, and time that nobody used is not made up for', async () => {
  let clock = 0
  const slept: number[] = []
  const pace = createPacer({ requestsPerSecond: 4, now: () => clock, sleep: async ms => slept.push(ms) })
  await Promise.all([pace(), pace(), pace()])
  clock = 10_000
  await Promise.all([pace(), pace()])
  expect(slept).toEqual([250, 500, 250])
})
