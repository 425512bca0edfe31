import { join } from 'node:path'
import type { Line } from './line.ts'
import { LOAD_CORE } from './machine.ts'

const CONNECTIONS = 64
/** The same order of requests in every run, for both. */
const SEED = '7919'
const LARGE = 2 ** 20
const SCRIPT = join(import.meta.dir, 'load.lua')

/** What one run of either load generator measured. */
export interface Run {
  perSecond: number
  bytesPerSecond: number
  p50us: number
  p99us: number
  errors: string[]
  /** Processor seconds of the load generator. */
  loadSeconds: number
}

export interface Expected {
  /**
   * Least and most bytes of one answer, head included: tells a 200 from a 304 and a whole body from a part.
   */
  bytes: readonly [number, number]
  /** Where the load runs; a core of its own unless given. */
  cores?: string
}

interface Summary {
  requests: number
  us: number
  bytes: number
  p50us: number
  p99us: number
  refused: number
  broken: number
}

/** wrk, 64 connections that stay open, against the addresses listed in `targets`. */
export async function runWrk(
  line: Line,
  port: number,
  targets: string,
  seconds: number,
  expected: Expected,
): Promise<Run> {
  const wrk = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT]
  const child = Bun.spawn(
    [
      ...line.wrapper,
      'taskset',
      '-c',
      expected.cores ?? LOAD_CORE,
      ...wrk,
      `http://${line.address}:${port}`,
      '--',
      targets,
      SEED,
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: (seconds + 20) * 1000 },
  )
  const [output, problem] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const summary = /^RESULT (.*)$/m.exec(output)?.[1]
  if (!summary) throw new Error(`wrk gave no result:\n${output}${problem}`)
  return { ...judge(JSON.parse(summary) as Summary, expected), loadSeconds: cpuSecondsOf(child) }
}

/** Of a process that has ended. */
export function cpuSecondsOf(child: Bun.Subprocess): number {
  return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
}

function judge(summary: Summary, { bytes: [least, most] }: Expected): Omit<Run, 'loadSeconds'> {
  const each = summary.bytes / Math.max(1, summary.requests)
  const errors: string[] = []
  // Of large answers many are half-way when the time is over; what came of them counts.
  const large = least >= LARGE
  if (summary.requests === 0 && !large) errors.push('no answer at all')
  if (summary.refused > 0) errors.push(`${summary.refused} answers with status 400 or above`)
  if (summary.broken > 0) errors.push(`${summary.broken} broken connections or timeouts`)
  // When the time is over an answer is on its way on each connection, which counts in bytes only.
  const begun = most * (CONNECTIONS / Math.max(1, summary.requests))
  if (!large && (each < least || each > most + begun))
    errors.push(`${Math.round(each)} bytes per answer, not ${least}–${most}`)
  const bytesPerSecond = (summary.bytes * 1e6) / summary.us
  const perSecond = large ? bytesPerSecond / least : (summary.requests * 1e6) / summary.us
  return { perSecond, bytesPerSecond, p50us: summary.p50us, p99us: summary.p99us, errors }
}
