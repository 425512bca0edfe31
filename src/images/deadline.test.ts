import { expect, test } from 'bun:test'
import { coreWaitTime, startDeadline } from './deadline.ts'

const DEADLINE = 20

/**
 * How long a deadline lasts in elapsed time, for a decoder that has waited for a core before and during the
 * job.
 */
async function lasting(before: number, during: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = performance.now()
  let waited = before
  startDeadline(DEADLINE, () => waited, resolve)
  waited += during
  await promise
  return performance.now() - started
}

test.each([
  ['of a decoder that never waited is not put off', 0, 0, DEADLINE],
  ['is not put off by what was before the job', 10_000, 0, DEADLINE],
  ['is put off by the time in which others had the cores', 10_000, 30, DEADLINE + 30],
  ['is put off three times its length at most', 0, 10_000, 4 * DEADLINE],
])('a deadline %s', async (_, before, during, expected) => {
  const lasted = await lasting(before, during)
  expect(lasted).toBeGreaterThanOrEqual(expected - 2)
  // Much less than the 10 s; a busy machine resumes the test late.
  expect(lasted).toBeLessThan(expected + 5000)
})

test('a deadline that was called off does not expire', async () => {
  let expired = false
  startDeadline(
    1,
    () => 0,
    () => {
      expired = true
    },
  )()
  // A later deadline of the same length has expired.
  await new Promise<void>(done => void startDeadline(1, () => 0, done))
  expect(expired).toBe(false)
})

test('the time of waiting for a core is read of a living process, and is 0 of none', () => {
  if (process.platform === 'linux') expect(coreWaitTime(process.pid)).toBeGreaterThan(0)
  expect(coreWaitTime(2 ** 30)).toBe(0)
})
