import { describe, expect, test } from 'bun:test'
import { retryAfterPause, TransientError, withRetries } from './retries.ts'

/** Runs an attempt that fails `failures` times; returns the pauses in between. */
async function pauses(failures: number, after?: number) {
  const slept: number[] = []
  let left = failures
  const attempt = async () => {
    if (left-- > 0) throw new TransientError(new Error('away'), after)
    return 'done'
  }
  const retryPolicy = { maxAttempts: 5, sleep: async (ms: number) => slept.push(ms), random: () => 1 }
  const outcome = await withRetries(attempt, retryPolicy).catch((error: Error) => error.message)
  return { outcome, slept }
}

describe('patiently', () => {
  test('pauses double', async () =>
    expect(await pauses(4)).toEqual({ outcome: 'done', slept: [500, 1000, 2000, 4000] }))

  test('the time that the other side asks for goes first', async () =>
    expect(await pauses(2, 7)).toEqual({ outcome: 'done', slept: [7, 7] }))

  test('at the end the trouble itself', async () => expect((await pauses(5)).outcome).toBe('away'))

  test('another error is not tried again', async () => {
    const attempt = () => Promise.reject(new Error('refused'))
    const retryPolicy = { maxAttempts: 5, sleep: () => Promise.reject(new Error('slept')), random: () => 0 }
    expect(await withRetries(attempt, retryPolicy).catch(({ message }: Error) => message)).toBe('refused')
  })
})

test.each([
  [null, undefined],
  ['0', 0],
  ['12', 12_000],
  ['999999', 600_000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 59_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After %j is %p ms', (value, expected) =>
  expect(retryAfterPause(new Headers(value === null ? {} : { 'Retry-After': value }), 1000)).toBe(
    expected as number,
  ),
)
