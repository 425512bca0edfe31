/** Callers of `currentState` while a query for the state fails. Its rules are in `test/conformance`. */
import { expect, test } from 'bun:test'
import { DatabaseUnavailableError } from '../database.ts'
import { createStateReader } from './current-state.ts'

/** The second call arrives while the first query runs, which fails these milliseconds later. */
async function secondCallAfter(milliseconds: number) {
  const now = { clock: 1_000_000 }
  const queries: PromiseWithResolvers<{ rows: object[]; count: number }>[] = []
  const query = () => {
    queries.push(Promise.withResolvers())
    return queries.at(-1)!.promise
  }
  const { currentState } = createStateReader(query, () => now.clock)
  const first = currentState().catch(error => error)
  await Promise.resolve()
  const second = currentState().catch(error => error)
  await Bun.sleep(0)
  expect(queries).toHaveLength(1)
  now.clock += milliseconds
  queries[0]!.reject(new DatabaseUnavailableError('the database did not answer in time'))
  expect(await first).toBeInstanceOf(DatabaseUnavailableError)
  await Bun.sleep(0)
  return { queries, second, currentState, clock: now.clock }
}

const answerAt = (clock: number) => ({ rows: [{ version: 1, clock, settings: '{}' }], count: 1 })

test('a call that has waited long for a query that fails, fails with it; the next call asks anew', async () => {
  const { queries, second, currentState, clock } = await secondCallAfter(5_000)
  expect(await second).toBeInstanceOf(DatabaseUnavailableError)
  expect(queries).toHaveLength(1)
  const third = currentState()
  await Bun.sleep(0)
  expect(queries).toHaveLength(2)
  queries[1]!.resolve(answerAt(clock))
  expect((await third).version).toBe(1)
})

test('the twin: after a query that fails at once the waiting call asks by itself', async () => {
  const { queries, second, clock } = await secondCallAfter(10)
  expect(queries).toHaveLength(2)
  queries[1]!.resolve(answerAt(clock))
  expect((await second).version).toBe(1)
})
