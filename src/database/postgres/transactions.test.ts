/**
 * Waiting transactions fail together when the database does not answer. The rules of transactions are in
 * `test/conformance`.
 */
import { expect, test } from 'bun:test'
import { DatabaseUnavailableError } from '../database.ts'
import { postgresTransactions } from './transactions.ts'

/**
 * Starts twenty transactions on a database that does not answer; each attempt to reach it takes this long.
 */
async function attemptsOf(milliseconds: number): Promise<{ attempts: number; errors: unknown[] }> {
  let clock = 0
  let attempts = 0
  const silent = {
    reserve() {
      attempts++
      clock += milliseconds
      return Promise.reject(new DatabaseUnavailableError('no connection became free in time'))
    },
  }
  const { transaction } = postgresTransactions(silent, { clock: () => clock, noteServerClock: () => {} })
  const asked = Array.from({ length: 20 }, () => transaction(async () => {}).catch((error: unknown) => error))
  return { errors: await Promise.all(asked), attempts }
}

test('all that waited while an attempt used up its time fail with it, not one after the other', async () => {
  const { attempts, errors } = await attemptsOf(8_000)
  expect(attempts).toBe(1)
  for (const error of errors) expect(error).toBeInstanceOf(DatabaseUnavailableError)
})

test('after an attempt that failed at once the next one is tried by itself: it may find the database well', async () => {
  expect((await attemptsOf(1)).attempts).toBe(20)
})
