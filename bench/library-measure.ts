/** Asks a large library for its pages and searches, and prints how long each took. */
import { dash } from '../test/support/dashboard.ts'
import type { Service } from '../test/support/service.ts'
import { CASES, type LibraryCase } from './library-cases.ts'
import { percentile } from './percentile.ts'

const ROUNDS = 20
/** A case ends after so long, however few rounds that were. */
const CASE_SECONDS = 8

interface Found {
  /** Milliseconds. */
  median: number
  p99: number
  /** How much came back, for people. */
  size: string
}

async function measure(service: Service, session: string, { route }: LibraryCase): Promise<Found> {
  const times: number[] = []
  const ends = performance.now() + CASE_SECONDS * 1000
  let text = ''
  for (let round = 0; round < ROUNDS && performance.now() < ends; round++) {
    const started = performance.now()
    const response = await dash(service, route(round), { session })
    text = await response.text()
    times.push(performance.now() - started)
    if (response.status !== 200) throw new Error(`${route(round)}: ${response.status} ${text.slice(0, 200)}`)
  }
  const total = (JSON.parse(text) as { gesamt?: number }).gesamt
  const size = total === undefined ? `${(text.length / 1024).toFixed(0)} KB` : `${total} files`
  return { median: percentile(times, 0.5), p99: percentile(times, 0.99), size }
}

/** Answers the cases that missed their bar, with the figure. */
export async function measureLibrary(
  service: Service,
  session: string,
  mode: 'embedded' | 'shared',
): Promise<string[]> {
  console.log(`${'milliseconds'.padEnd(62)}${'median'.padStart(8)}${'p99'.padStart(8)}${'bar'.padStart(6)}`)
  const missed: string[] = []
  for (const each of CASES) {
    const { median, p99, size } = await measure(service, session, each)
    const bar = each.bars?.[mode]
    const met = bar === undefined || median <= bar
    if (!met) missed.push(`${each.name}: ${median.toFixed(0)} ms, not ${bar}`)
    const figures = [median, p99].map(ms => ms.toFixed(1).padStart(8)).join('')
    const verdict = met ? '' : '   MISS'
    console.log(`${each.name.padEnd(62)}${figures}${String(bar ?? '').padStart(6)}   ${size}${verdict}`)
  }
  return missed
}
