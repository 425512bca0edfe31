import { afterEach, expect, jest, test } from 'bun:test'
import { nextTurn } from '../../test/support/wait.ts'
import { createTimeLimit, withTimeout } from './time-limit.ts'

afterEach(() => void jest.useRealTimers())

const forever = () => new Promise<string>(() => {})

test('whoever waits no longer than a time gets the result, its error, or what was asked for in its place', async () => {
  jest.useFakeTimers()
  expect(await withTimeout(20, Promise.resolve('done'))).toBe('done')
  await expect(withTimeout(20, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  // A timer delays neither result, and none is left behind.
  expect(jest.getTimerCount()).toBe(0)
  const late = Promise.all([withTimeout(20, forever()), withTimeout(20, forever(), () => 'late')])
  const refused = withTimeout(20, forever(), () => {
    throw new Error('not in time')
  })
  refused.catch(() => {})
  jest.advanceTimersByTime(20)
  expect(await late).toEqual([undefined, 'late'])
  await expect(refused).rejects.toThrow('not in time')
})

test('work that fails after its time fails for nobody', async () => {
  const gate = Promise.withResolvers<string>()
  expect(await withTimeout(1, gate.promise, () => 'late')).toBe('late')
  gate.reject(new Error('broken'))
  await nextTurn()
})

test('work that comes to its end is answered with what it found, or rejects as it did', async () => {
  const withTimeLimit = createTimeLimit(10_000)
  expect(await withTimeLimit('a', async () => 'found', 'late')).toBe('found')
  await expect(withTimeLimit('a', () => Promise.reject(new Error('broken')), 'late')).rejects.toThrow(
    'broken',
  )
  expect(await withTimeLimit('a', async () => 'found again', 'late')).toBe('found again')
})

test('work that hangs is answered in time, and not begun a second time; other work is', async () => {
  const withTimeLimit = createTimeLimit(20)
  let begun = 0
  const hang = () => {
    begun++
    return forever()
  }
  jest.useFakeTimers()
  const both = Promise.all([withTimeLimit('share', hang, 'late'), withTimeLimit('share', hang, 'late')])
  jest.advanceTimersByTime(20)
  expect(await both).toEqual(['late', 'late'])
  // The clock stands still, so a caller that waits would wait for ever.
  for (let again = 0; again < 100; again++) expect(await withTimeLimit('share', hang, 'late')).toBe('late')
  expect(begun).toBe(1)
  expect(await withTimeLimit('disk', async () => 'found', 'late')).toBe('found')
})

test('work that ends after its time is begun anew at the next call', async () => {
  const withTimeLimit = createTimeLimit(20)
  const gate = Promise.withResolvers<string>()
  expect(await withTimeLimit('share', () => gate.promise, 'late')).toBe('late')
  gate.resolve('at last')
  await gate.promise
  await nextTurn()
  expect(await withTimeLimit('share', async () => 'new', 'late')).toBe('new')
})
