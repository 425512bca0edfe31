/** Asks a large library for its pages and searches, and prints how long each took. */
import { dash } from '../test/support/dashboard.ts'
import type { Service } from '../test/support/service.ts'
import { CASES, type LibraryCase, type LibraryMode } from './library-cases.ts'
import { exactCpuSeconds } from './machine.ts'
import { percentile } from './percentile.ts'

const ROUNDS = 20
/** A case ends after so long, however few rounds that were. */
const CASE_SECONDS = 8
/** How many times the processor time of a smaller library a case may take. */
const MOST_GROWTH = 2
/** Milliseconds of processor time within which growth says nothing. */
const NOISE = 3

/** A running service, and who asks it. */
export interface Asked {
  service: Service
  session: string
  /** How many the library has. */
  files: number
}

interface Found {
  /** Milliseconds by the clock. */
  median: number
  p99: number
  /** Milliseconds of the service's processor time, at the mean. */
  cpu: number
  /** How much came back, for people. */
  size: string
}

async function measure({ service, session, files }: Asked, each: LibraryCase): Promise<Found> {
  const times: number[] = []
  const ends = performance.now() + CASE_SECONDS * 1000
  const cpu = exactCpuSeconds(service.pid)
  let text = ''
  for (let round = 0; round < ROUNDS && performance.now() < ends; round++) {
    const started = performance.now()
    const response = await dash(service, each.route(round, files), { session })
    text = await response.text()
    times.push(performance.now() - started)
    if (response.status !== 200) throw new Error(`${each.name}: ${response.status} ${text.slice(0, 200)}`)
  }
  const total = (JSON.parse(text) as { gesamt?: number }).gesamt
  return {
    median: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: ((exactCpuSeconds(service.pid) - cpu) * 1000) / times.length,
    size: total === undefined ? `${(text.length / 1024).toFixed(0)} KB` : `${total} files`,
  }
}

const row = (name: string, figures: readonly (string | number)[]) =>
  name.padEnd(62) +
  figures.map(each => (typeof each === 'number' ? each.toFixed(1) : each).padStart(8)).join('')

/**
 * Answers the cases that missed their bar, with the figure. `smaller`: a library with a tenth of the files,
 * asked in turn; a case must not take much more of the processor than there.
 */
export async function measureLibrary(asked: Asked, mode: LibraryMode, smaller?: Asked): Promise<string[]> {
  console.log(row('milliseconds', ['median', 'p99', 'cpu', ...(smaller ? ['smaller', '×'] : []), 'bar']))
  const missed: string[] = []
  for (const each of CASES) {
    const before = smaller && (await measure(smaller, each))
    const { median, p99, cpu, size } = await measure(asked, each)
    const bar = each.bars?.[mode]
    const growth = before && cpu / before.cpu
    const problems = [
      ...(bar !== undefined && median > bar ? [`${median.toFixed(0)} ms, not ${bar}`] : []),
      ...(growth && growth > MOST_GROWTH && cpu > NOISE
        ? [`${growth.toFixed(1)} × the smaller library`]
        : []),
    ]
    missed.push(...problems.map(problem => `${each.name}: ${problem}`))
    const figures = [median, p99, cpu, ...(before ? [before.cpu, growth!] : []), bar?.toString() ?? '']
    console.log(`${row(each.name, figures)}   ${size}${problems.length > 0 ? '   MISS' : ''}`)
  }
  return missed
}
