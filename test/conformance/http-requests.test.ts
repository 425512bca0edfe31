/**
 * Requests that RFC 9112 allows or forbids (requests/cases.ts): our server treats each as the table says, and
 * docs/http.md contains the same table. `HTTP_TABLE=write` asks the other servers again and writes the table.
 */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { useServers } from '../../src/http/server/testing.ts'
import { leftToLong } from '../support/left-out.ts'
import { SECTIONS } from './requests/cases.ts'
import {
  DOCUMENT,
  documentWith,
  keyOf,
  OBSERVED_FILE,
  readObserved,
  unexplained,
} from './requests/document.ts'
import { echo, outcomeOf } from './requests/outcome.ts'
import { type PeerName, startPeer } from './requests/peers.ts'

const { serve } = useServers()
const isWriting = process.env.HTTP_TABLE === 'write'

const WAITING = 'waits'
/** Milliseconds. The test waits for silence only where it is expected, or where nothing is known yet. */
const SILENCE = 1_000
const PATIENCE = 20_000
/** Number of concurrent requests. */
const AT_ONCE = 8

/** By the key of the case. */
type Outcomes = Record<string, string>

/** What a server does with each case; `known`: the expected outcome. */
async function outcomesOf(port: number, known: Outcomes | undefined): Promise<Outcomes> {
  const waiting = SECTIONS.flatMap(section =>
    section.cases.map(each => ({ key: keyOf(section, each), each })),
  )
  const found = new Map<string, string>(waiting.map(({ key }) => [key, '']))
  expect(found.size).toBe(waiting.length)
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const mayBeSilent = (known?.[next.key] ?? WAITING) === WAITING
      found.set(next.key, await outcomeOf(port, next.each.wire, mayBeSilent ? SILENCE : PATIENCE))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return Object.fromEntries(found)
}

const expected: Outcomes = Object.fromEntries(
  SECTIONS.flatMap(section => section.cases.map(each => [keyOf(section, each), each.ours])),
)

test('our server accepts and refuses what the table says', async () => {
  const { port } = serve(echo)
  expect(await outcomesOf(port, expected)).toEqual(expected)
})

/** A server of another version than in the table may differ from it: the difference is printed. */
async function comparePeer(name: PeerName): Promise<void> {
  await using peer = await startPeer[name]()
  const observed = readObserved()
  const outcomes = await outcomesOf(peer.port, isWriting ? undefined : observed.outcomes[name])
  if (isWriting) {
    observed.versions[name] = peer.version
    observed.outcomes[name] = outcomes
    writeFileSync(OBSERVED_FILE, `${JSON.stringify(observed, null, 2)}\n`)
  } else if (observed.versions[name] === peer.version) expect(outcomes).toEqual(observed.outcomes[name]!)
  else
    for (const [key, outcome] of Object.entries(outcomes))
      if (outcome !== observed.outcomes[name]?.[key])
        console.info(`${name} ${peer.version}: ${key}: ${outcome}, not ${observed.outcomes[name]?.[key]}`)
}

leftToLong.each(['nginx', 'Node', 'Bun.serve'] as const)('%s does what the table says', comparePeer)

test('docs/http.md shows this table, with a reason wherever we differ', () => {
  const text = readFileSync(DOCUMENT, 'utf8')
  const current = documentWith(text, readObserved())
  if (isWriting) writeFileSync(DOCUMENT, current)
  else expect(text).toBe(current)
  expect(unexplained(readObserved())).toEqual([])
})
