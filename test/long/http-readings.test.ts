/**
 * Requests from the fuzzer's grammar, sent to our server and to Node: what both accept, both must read alike.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { useServers } from '../../src/http/server/testing.ts'
import { echo } from '../conformance/requests/outcome.ts'
import { startPeer } from '../conformance/requests/peers.ts'
import { answersIn, exchange } from '../support/http-exchange.ts'
import { type Attack, attack, partsOf } from '../support/http-grammar.ts'

setDefaultTimeout(600_000)
const { serve } = useServers()

const ROUNDS = 1250
/** Number of concurrent connections to each server. */
const AT_ONCE = 8

/**
 * Method, header `X` and length of each request that was accepted. The target as Node received it; ours is a
 * URL.
 */
async function readingsOf(port: number, { requests, ...rest }: Attack): Promise<(string | null)[]> {
  // Left out, because Node sends its `100 Continue` in the middle of an earlier answer.
  const sent = requests.map(text => text.replaceAll('Expect: 100-continue', 'A: b'))
  const { bytes } = await exchange(port, partsOf({ ...rest, requests: sent }, ''))
  const answers = answersIn(bytes, { reset: true, isHead: true, mayLackLength: true })
  const refused = answers.findIndex(({ status }) => status !== 200)
  return answers
    .slice(0, refused < 0 ? answers.length : refused)
    .map(({ body }) => (body.length === 0 ? null : body.toString('latin1').replace(/ \S+/, '')))
}

test('20 000 requests: we and Node agree on what we both accept', async () => {
  await using node = await startPeer.Node()
  const { port } = serve(echo)
  const different: unknown[] = []
  let compared = 0
  async function compare(each: Attack): Promise<void> {
    const [ours, theirs] = await Promise.all([readingsOf(port, each), readingsOf(node.port, each)])
    for (let at = 0; at < Math.min(ours.length, theirs.length); at++) {
      // A HEAD, whose answer has no body.
      if (ours[at] === null || theirs[at] === null) continue
      compared++
      if (ours[at] !== theirs[at]) different.push({ ours, theirs, requests: each.requests })
    }
  }
  const together = fc.array(attack, { minLength: AT_ONCE, maxLength: AT_ONCE })
  const property = fc.asyncProperty(together, async attacks => {
    await Promise.all(attacks.map(compare))
  })
  await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true })
  console.info(`${ROUNDS * AT_ONCE} connections, ${compared} requests accepted by both`)
  expect(different.slice(0, 3)).toEqual([])
  expect(compared).toBeGreaterThan(ROUNDS)
})
