/**
 * Requests made by a grammar that now and then takes a wrong turn, some of them damaged afterwards: each answer is well formed, each
 * error a sentence, nothing hangs, memory stays flat, and the service goes on. `FUZZ_REQUESTS=1000000` sends more.
 */

import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { store } from '../support/api.ts'
import { answersIn, exchange, type Received } from '../support/http-exchange.ts'
import { type Attack, attack, partsOf } from '../support/http-grammar.ts'
import { leftToLong } from '../support/left-out.ts'
import { memoryOf } from '../support/processes.ts'
import { startService } from '../support/service.ts'

const SOME = 800
const MANY = Number(process.env.FUZZ_REQUESTS ?? 20_000)
const MEGABYTE = 1024 * 1024
const MEMORY_MOST = 60 * MEGABYTE
/** How often the memory is looked at. */
const LOOKS = 10
/** Connections at once, and a little less than the average of requests on each. */
const AT_ONCE = 16
const PER_CONNECTION = 1.8

setDefaultTimeout(300_000 + 10 * MANY)

/** Of the errors of a server only these two are about the request: an unknown method, an unknown version. */
const ABOUT_REQUESTS = [501, 505]

function judge({ status, code, body }: Received, reset: boolean): void {
  if (status < 400) return
  if (status >= 500) expect(ABOUT_REQUESTS).toContain(status)
  expect(code).toMatch(/^[a-z0-9-]+$/)
  if (body.length > 0 && !reset)
    expect(JSON.parse(body.toString())).toEqual({ error: expect.stringMatching(/\.$/) })
}

/** Lowest of the second half above the lowest of the first: garbage comes and goes, and the first look is at a cold start. */
function growthOf([, ...memory]: readonly number[]): number {
  const middle = memory.length / 2
  return Math.min(...memory.slice(middle)) - Math.min(...memory.slice(0, middle))
}

/** `rare`: statuses that come up among many requests only. */
async function fuzz(requests: number, rare: readonly number[] = []): Promise<void> {
  await using service = await startService({ ownProcess: true, mode: 'embedded', env: { WORKERS: '1' } })
  const token = await service.createToken()
  await store(service, token, 'fuzz/a.txt', 'some text')
  const seen = new Map<number, number>()
  const memory: number[] = []
  let sent = 0

  async function send(each: Attack): Promise<void> {
    sent += each.requests.length
    const isHead = each.requests.some(text => text.includes('HEAD'))
    const { bytes, reset } = await exchange(service.port, partsOf(each, token))
    for (const answer of answersIn(bytes, { reset, isHead })) {
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      judge(answer, reset)
    }
  }
  const together = fc.array(attack, { minLength: AT_ONCE, maxLength: AT_ONCE })
  const property = fc.asyncProperty(together, async attacks => {
    await Promise.all(attacks.map(send))
    if (sent > (requests / LOOKS) * memory.length) memory.push(memoryOf(service.pid))
  })
  await fc.assert(property, { numRuns: Math.ceil(requests / (PER_CONNECTION * AT_ONCE)), endOnFailure: true })

  const statuses = [...seen].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  const megabytes = memory.map(bytes => Math.round(bytes / MEGABYTE))
  console.info(`${sent} requests, memory in MB ${megabytes.join(' ')}; ${statuses.join(', ')}`)
  expect(growthOf(memory)).toBeLessThan(MEMORY_MOST)
  expect(service.logs().filter(({ level }) => level === 'error')).toEqual([])
  // Otherwise what was sent would be too tame, or too broken to reach anything.
  for (const status of [200, 400, 401, 404, ...rare])
    expect([status, seen.get(status) ?? 0]).not.toEqual([status, 0])
}

test(`${SOME} requests by grammar`, () => fuzz(SOME))
leftToLong(`${MANY} requests by grammar`, () => fuzz(MANY, [206, 431, 501, 505]))
