import type { Case } from './cases.ts'
import type { Peak } from './memory.ts'
import type { Run } from './wrk.ts'

export interface Measured extends Run {
  /** Share of its one core that the server used; well below 100 % the load was the slower side. */
  cpu: number
  /** Cores that neither server nor load kept busy, but somebody else. */
  others: number
}

/** Others that take more than this many cores make a comparison void: it is then they who are measured. */
const QUIET = 0.15

/** By the name of the server. */
export type Round = Readonly<Record<string, Measured>>

export interface CaseResult {
  case: Case
  medians: Round
}

export const undisturbed = (round: Round) => busiest(round) <= QUIET
const busiest = (round: Round) => Math.max(...Object.values(round).map(({ others }) => others))

/** The middle of several runs, each figure by itself; every error of any of them. */
export function median(runs: Measured[]): Measured {
  const middle = (pick: (run: Measured) => number) => {
    const sorted = runs.map(pick).sort((a, b) => a - b)
    const half = sorted.length >> 1
    return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
  }
  return {
    perSecond: middle(run => run.perSecond),
    bytesPerSecond: middle(run => run.bytesPerSecond),
    p50us: middle(run => run.p50us),
    p99us: middle(run => run.p99us),
    cpu: middle(run => run.cpu),
    others: middle(run => run.others),
    loadSeconds: middle(run => run.loadSeconds),
    errors: runs.flatMap(run => run.errors),
  }
}

const HEADINGS = ['case', 'Fundus /s', 'nginx /s', 'ratio', 'Fundus MB/s', 'nginx MB/s']
const LATENCIES = ['Fundus p50 / p99 ms', 'nginx p50 / p99 ms', 'core used', 'per core second']

export function tableBesideNginx(results: CaseResult[]): string {
  const rows = results.map(({ case: { name }, medians }) => {
    const [fundus, nginx] = [medians.Fundus!, medians.nginx!]
    return [
      name,
      figure(fundus.perSecond),
      figure(nginx.perSecond),
      (fundus.perSecond / nginx.perSecond).toFixed(2),
      figure(fundus.bytesPerSecond / 2 ** 20),
      figure(nginx.bytesPerSecond / 2 ** 20),
      `${milliseconds(fundus.p50us)} / ${milliseconds(fundus.p99us)}`,
      `${milliseconds(nginx.p50us)} / ${milliseconds(nginx.p99us)}`,
      `${percent(fundus.cpu)} / ${percent(nginx.cpu)}`,
      (fundus.perSecond / fundus.cpu / (nginx.perSecond / nginx.cpu)).toFixed(2),
    ]
  })
  return markdown([...HEADINGS, ...LATENCIES], rows)
}

/** Requests per second of everybody, and how many times that of each other Fundus reaches. */
export function tableOfAll(results: CaseResult[], names: readonly string[]): string {
  const rows = results.map(({ case: { name }, medians }) => {
    const own = medians.Fundus!.perSecond
    const cell = (other: string) => {
      const found = medians[other]
      if (!found) return '–'
      return other === 'Fundus' ? figure(own) : `${figure(found.perSecond)} (${times(own / found.perSecond)})`
    }
    return [name, ...names.map(cell)]
  })
  return markdown(['case, /s (Fundus ×)', ...names], rows)
}

/** Servers that share two cores with the load: how much of them each took, and what it made of that. */
export function tableOfCores(results: CaseResult[]): string {
  const rows = results.flatMap(({ case: { name }, medians }) =>
    Object.entries(medians).map(([server, { perSecond, cpu, p99us }]) => [
      `${name}: ${server}`,
      figure(perSecond),
      cpu.toFixed(2),
      figure(perSecond / cpu),
      milliseconds(p99us),
    ]),
  )
  return `${markdown(['two cores, shared with the load', '/s', 'cores used', 'per core second', 'p99 ms'], rows)}\n`
}

const times = (ratio: number) => (ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2))

function markdown(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map(row => row[at]!.length)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(headings), rule, ...rows.map(line)].join('\n')
}

export interface Bar {
  what: string
  found: string
  verdict: 'pass' | 'MISS' | 'VOID'
}

export function ratioBars(results: CaseResult[]): Bar[] {
  return results.flatMap(({ case: { name, bars }, medians }) =>
    Object.entries(bars).flatMap(([other, bar]): Bar[] => {
      const found = medians[other]
      if (!found) return []
      const ratio = medians.Fundus!.perSecond / found.perSecond
      const verdict = ratio >= bar ? 'pass' : 'MISS'
      const what = `${name} ≥ ${bar} × ${other}`
      const pair = { Fundus: medians.Fundus!, [other]: found }
      if (undisturbed(pair)) return [{ what, found: `${ratio.toFixed(2)} ×`, verdict }]
      const disturbance = `others kept ${busiest(pair).toFixed(2)} cores busy`
      return [{ what, found: `${ratio.toFixed(2)} ×, but ${disturbance}`, verdict: 'VOID' }]
    }),
  )
}

/** A case with errors measured something else than it claims. */
export function errorBars(results: CaseResult[]): Bar[] {
  return results.flatMap(({ case: { name }, medians }) =>
    Object.entries(medians).flatMap(([server, { errors }]) => {
      const found = [...new Set(errors)].slice(0, 5).join('; ')
      return found === ''
        ? []
        : [{ what: `${name}: ${server} without errors`, found, verdict: 'MISS' as const }]
    }),
  )
}

export function memoryBar(what: string, peak: Peak, limit: number): Bar {
  const size = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  const found = `${size(peak.main)} (process, VmHWM), ${size(peak.tree)} with its helpers (sampled sum), \
${size(peak.idle)} before; ${peak.seconds.toFixed(1)} s`
  const errors = peak.errors.length > 0 ? `; ${[...new Set(peak.errors)].slice(0, 5).join('; ')}` : ''
  const met = errors === '' && Math.max(peak.main, peak.tree) < limit
  return { what: `${what} < ${size(limit)}`, found: found + errors, verdict: met ? 'pass' : 'MISS' }
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toString() : value.toPrecision(3)
}

function milliseconds(us: number): string {
  return us >= 100_000 ? Math.round(us / 1000).toString() : (us / 1000).toPrecision(3)
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
