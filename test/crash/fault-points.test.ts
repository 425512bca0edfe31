/**
 * The n-th operation on storage or database fails, for n = 1, 2, 3 … until none does, during every change
 * that the service offers. Afterwards the state is the old or the new one, the client was told, and the same
 * request works. `npm test` tests a few changes and lets each operation fail once.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { failure } from '../../src/errors/errors.ts'
import { internet } from '../../src/features/fetch-url/network.ts'
import { useFolder } from '../support/folder.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { attempt, expectedOf, judgeAnswer, judgeState } from './attempt.ts'
import { type FaultPlan, WAYS } from './faults.ts'
import { checkInstance, type FaultyService, startFaultyService } from './faulty-service.ts'
import { CHANGES, FETCH_URL, FETCHED, type Operation, roundIn, UPLOADS } from './operations.ts'

setDefaultTimeout(600_000)

/** The others are left to the long tests. */
const ORDINARY = ['upload, short', 'upload, long', 'overwrite, short']

/** Milliseconds for which the fault outlasts the answer, so that background work meets it too. */
const AFTERWARDS = isOrdinaryRun ? 0 : 120
const MOST_OPERATIONS = 300

const dataDir = await useFolder()
const totals = { operations: 0, attempts: 0, faults: 0, swept: 0 }
let running: FaultyService
let rounds = 0
const newRound = () => roundIn({ ...running, name: `r${++rounds}` })

const page = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(FETCHED) })
const { resolve, dial } = internet

beforeAll(async () => {
  internet.resolve = async () => ['93.184.215.14']
  internet.dial = () => connect({ host: '127.0.0.1', port: page.port! })
  running = await startFaultyService(dataDir)
})

afterAll(async () => {
  Object.assign(internet, { resolve, dial })
  await running[Symbol.asyncDispose]()
  await page.stop(true)
  console.log(`fault points: ${JSON.stringify(totals)}`)
})

/** Increases n until nothing fails. */
async function everyPoint(operation: Operation, way: Omit<FaultPlan, 'at'>): Promise<string[]> {
  const { faults } = running
  const expected = await expectedOf(operation, newRound())
  for (let at = 1; at < MOST_OPERATIONS; at++) {
    const { failed, violations } = await attempt(operation, newRound(), expected, {
      begin: () => faults.arm({ ...way, at }),
      async end() {
        await Bun.sleep(AFTERWARDS)
        return faults.disarm()
      },
    })
    if (failed.length === 0) return violations
    totals.attempts++
    totals.faults += failed.length
    if (violations.length > 0) return violations.map(each => `${each}; failed: ${failed[0]}, number ${at}`)
  }
  return ['no end of operations']
}

const operations = [...UPLOADS, FETCH_URL, ...CHANGES]
for (const operation of operations.filter(({ name }) => !isOrdinaryRun || ORDINARY.includes(name)))
  test(`${operation.name}: whatever fails, it is done or not done, and goes on`, async () => {
    totals.operations++
    const violations: string[] = []
    for (const way of WAYS) {
      const found = await everyPoint(operation, way)
      violations.push(...found.map(each => `${way.kind}${way.lasting ? ', lasting' : ''}: ${each}`))
    }
    await running[Symbol.asyncDispose]()
    const checked = await checkInstance(dataDir)
    totals.swept += checked.swept
    running = await startFaultyService(dataDir)
    expect([...violations, ...checked.violations]).toEqual([])
  })

test('the checks themselves notice a mixture, a lost file, a bare error and a promise not kept', () => {
  const before = new Map([['file a', '1']])
  const after = new Map([['file b', '1']])
  const expected = { before, after }
  const both = new Map([...before, ...after])
  const refused = { status: 503, text: '' }
  expect(judgeState({}, expected, after, refused)).toEqual([])
  expect(judgeState({}, expected, both, refused)).toHaveLength(1)
  expect(judgeState({}, expected, new Map(), refused)).toHaveLength(1)
  expect(judgeState({}, expected, before, { status: 200, text: '{}' })).toHaveLength(1)
  const separate = { isSeparate: true } as const
  expect(judgeState(separate, expected, new Map([['file b', '2']]), refused)).toHaveLength(1)
  expect(judgeState(separate, expected, before, { status: 200, text: '{"gespeichert":[]}' })).toHaveLength(1)
  const grund = failure.databaseUncertain(null).message
  const uncertain = (abgelehnt: unknown[]) => JSON.stringify({ gespeichert: [], abgelehnt })
  expect(judgeState(separate, expected, after, { status: 200, text: uncertain([{ grund }]) })).toEqual([])
  expect(
    judgeState(separate, expected, after, { status: 200, text: uncertain([{ grund: 'x' }]) }),
  ).toHaveLength(1)
  const answer = { status: 503, code: 'disk-broken', text: '{"error":"Ein Satz."}' }
  expect(judgeAnswer(answer, true)).toEqual([])
  expect(judgeAnswer(answer, false)).toHaveLength(1)
  expect(judgeAnswer({ ...answer, code: 'unexpected' }, true)).toHaveLength(1)
  expect(judgeAnswer({ ...answer, text: 'broken' }, true)).toHaveLength(1)
})
