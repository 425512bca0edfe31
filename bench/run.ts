/**
 * `npm run bench`: Fundus beside what a user would otherwise take (nginx, Caddy, rclone, HFS) and beside the
 * bare runtime, on the same files in one run, the server on one core, the load on another.
 *   --quick            beside nginx only, fewer and shorter rounds; enough to see where things stand
 *   --save             writes bench/RESULTS.md: everything, over a virtual cable and over loopback
 *   --seconds N        length of a round, two unless given
 *   --only PATTERN     only cases whose name matches the regular expression ("memory" and "workers" for the
 *                      last ones)
 *   --open-file-cache  gives nginx its cache of open files, which is off by default
 *   --loopback         reads over loopback instead of a virtual cable (line.ts says why)
 * BENCH_DIR: where the files lie; the system's temporary folder unless set. Exits with 1 when a bar is
 * missed.
 */
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Case, MB, prepareCases } from './cases.ts'
import { KEEPS, OTHERS, type Place, startContestant, startNginx } from './contestants.ts'
import { type Line, openLine } from './line.ts'
import {
  busySeconds,
  commit,
  cpuSeconds,
  describeMachine,
  durableWritesPerSecond,
  needTools,
} from './machine.ts'
import { measurePeak } from './memory.ts'
import {
  type Bar,
  type CaseResult,
  errorBars,
  type Measured,
  median,
  memoryBar,
  type Round,
  ratioBars,
  tableBesideNginx,
  tableOfAll,
  tableOfCores,
  undisturbed,
} from './report.ts'
import { type Server, startFundus } from './server.ts'
import { startWorkers } from './workers.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'open-file-cache': { type: 'boolean', default: false },
    loopback: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '2' },
  },
})
if (options.save && (options.quick || options.only))
  throw new Error('--save writes the whole report: without --quick and --only')
const ONLY = new RegExp(options.only)
const SECONDS = options.quick ? 1 : Number(options.seconds)
const ROUNDS = options.quick ? 2 : 5
const LEGEND = `"core used": of the server's core. "per core second": ratio of requests per second of its processor time, which
  holds also where the load is the limit. "Fundus ×": how many times the other's rate. MB = 1024 × 1024 bytes.`
const WARM_UP = 1
const MEMORY_LIMIT = 200 * MB
const MEMORY_UPLOADS = 32
const MEMORY_SIZE = 64 * MB

async function measure(server: Server, each: Case, seconds: number): Promise<Measured> {
  const [cpu, busy, from] = [cpuSeconds(server.pid), busySeconds(), performance.now()]
  const run = await each.run(server, seconds).catch(error => {
    throw new Error(`${each.name}, ${server.name}: ${error}\nIts last words: ${server.lastWords()}`)
  })
  const elapsed = (performance.now() - from) / 1000
  const used = cpuSeconds(server.pid) - cpu
  const others = (busySeconds() - busy - used - run.loadSeconds) / elapsed
  await untilIdle(server)
  return { ...run, cpu: used / elapsed, others }
}

/** For two seconds at the most: what a server still does would take the core of whoever comes next. */
async function untilIdle({ pid }: Server): Promise<void> {
  for (let look = 0; look < 40; look++) {
    const before = cpuSeconds(pid)
    await Bun.sleep(50)
    if (cpuSeconds(pid) - before < 0.02) return
  }
}

/** A B C A B C …, so that whatever else the machine does meets all alike. */
async function compare(each: Case, servers: readonly Server[]): Promise<CaseResult> {
  const taking = servers.filter(({ readOnly }) => !(each.upload && readOnly))
  for (const server of taking) await measure(server, each, each.warmUp ?? WARM_UP)
  const rounds: Round[] = []
  // Rounds into which somebody else broke are made up for, as long as there is hope.
  while (
    rounds.length < ROUNDS ||
    (rounds.length < 2 * ROUNDS && rounds.filter(undisturbed).length < ROUNDS)
  ) {
    const round: Record<string, Measured> = {}
    for (const server of taking) round[server.name] = await measure(server, each, SECONDS)
    rounds.push(round)
  }
  const quiet = rounds.filter(undisturbed)
  const used = quiet.length >= ROUNDS ? quiet : rounds
  const of = (name: string) => used.map(round => round[name]!)
  const spread = (name: string) =>
    of(name)
      .map(run => Math.round(run.perSecond))
      .join(' ')
  console.log(`  ${each.name}: ${taking.map(({ name }) => `${name} ${spread(name)}`).join(' · ')} /s`)
  return { case: each, medians: Object.fromEntries(taking.map(({ name }) => [name, median(of(name))])) }
}

async function memoryBars(folder: string, line: Line, warm: Server): Promise<Bar[]> {
  if (!ONLY.test('memory')) return []
  const what = (state: string) => `peak memory, ${MEMORY_UPLOADS} uploads of 64 MB at once, ${state}`
  const bars = [
    memoryBar(
      what('after the load above'),
      await measurePeak(warm, MEMORY_UPLOADS, MEMORY_SIZE),
      MEMORY_LIMIT,
    ),
  ]
  const fresh = await startFundus(folder, line)
  try {
    const peak = await measurePeak(fresh, MEMORY_UPLOADS, MEMORY_SIZE)
    bars.push(memoryBar(what('freshly started'), peak, MEMORY_LIMIT))
  } finally {
    await fresh.stop()
  }
  return bars
}

/** What a second worker brings, and how it stands beside nginx with two. */
async function workersBars(place: Place, say: Say): Promise<Bar[]> {
  if (!ONLY.test('workers')) return []
  const { servers, matches } = await startWorkers(place)
  const results: CaseResult[] = []
  try {
    for (const match of matches) results.push(await compare(match.case, match.servers))
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
  say(tableOfCores(results))
  return [...ratioBars(results), ...errorBars(results)]
}

type Say = (line: string) => void

/** True when every bar was reached. */
async function main(folder: string, line: Line, say: Say): Promise<boolean> {
  const started = performance.now()
  say(`## Reads ${line.description}\n`)
  const place = { folder, line, openFileCache: options['open-file-cache'] }
  const servers = [await startFundus(folder, line), await startNginx(place)]
  const results: CaseResult[] = []
  let bars: Bar[]
  try {
    if (!options.quick) for (const each of OTHERS) servers.push(await startContestant(each, place))
    const root = join(folder, 'root')
    const cases = await prepareCases({ line, servers, root, folder, quick: options.quick, only: ONLY })
    console.log(`files in place after ${((performance.now() - started) / 1000).toFixed(0)} s`)
    for (const each of cases) results.push(await compare(each, servers))
    bars = await memoryBars(folder, line, servers[0]!)
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
  bars = [...ratioBars(results), ...bars, ...errorBars(results), ...(await workersBars(place, say))]
  console.log()
  const names = servers.map(({ name }) => name)
  if (results.length > 0) say(`${tableBesideNginx(results)}\n`)
  if (results.length > 0 && names.length > 2) say(`${tableOfAll(results, names)}\n`)
  for (const { what, found, verdict } of bars) say(`- ${verdict}: ${what}: ${found}`)
  say('')
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s in all\n`)
  return bars.every(bar => bar.verdict === 'pass')
}

async function introduce(folder: string, say: Say): Promise<void> {
  say(`# Fundus ${commit()} beside what else serves files, ${new Date().toISOString().slice(0, 10)}\n`)
  say(
    `- Command: \`npm run bench${process.argv.slice(2).length > 0 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}\``,
  )
  say(`- Machine: ${describeMachine()}`)
  const flushes = await durableWritesPerSecond(folder, 1)
  say(
    `- The disk: eight writers keep ${Math.round(flushes)} files of 10 KB a second for good (write, flush, rename, flush folder).`,
  )
  say(
    `- Server on core 0, load on core 1, 64 connections; uploads over loopback. Medians of ${ROUNDS} rounds in turn.`,
  )
  say(`- ${LEGEND}`)
  say('- Fundus answers an upload only after its bytes, its name and its row would survive a power cut.')
  for (const each of KEEPS) say(`- ${each}.`)
  say('')
}

await needTools()
const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'fundus-bench-'))
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    // Added last, so that the servers' own listeners have ended them by then.
    process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
    process.exit(code)
  })
}
let reached = true
const said: string[] = []
const say: Say = text => {
  console.log(text)
  said.push(text)
}
try {
  await introduce(folder, say)
  for (const loopback of options.save ? [false, true] : [options.loopback]) {
    const line = openLine(loopback)
    const own = await mkdtemp(join(folder, 'line-'))
    try {
      reached = (await main(own, line, say)) && reached
    } finally {
      line.close()
      await rm(own, { recursive: true, force: true })
    }
  }
  if (options.save) await writeFile(join(import.meta.dir, 'RESULTS.md'), `${said.join('\n').trim()}\n`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
// Connections that are kept alive would hold the process.
process.exit(reached ? 0 : 1)
