/**
 * `npm run bench`: Fundus beside nginx on the same files in one run, the server on one core, the load on another.
 *   --quick            fewer and shorter runs; enough to see where things stand
 *   --save             writes bench/results/<date>-<commit>.md
 *   --only PATTERN     only cases whose name matches the regular expression ("memory" for the last one)
 *   --open-file-cache  gives nginx its cache of open files, which is off by default
 *   --loopback         reads over loopback instead of a virtual cable (line.ts says why)
 * BENCH_DIR: where the files lie; the system's temporary folder unless set. Exits with 1 when a bar is missed.
 */
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Case, MB, prepareCases } from './cases.ts'
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
import { startNginx } from './nginx.ts'
import {
  type Bar,
  type CaseResult,
  errorBars,
  type Measured,
  median,
  memoryBar,
  type Pair,
  ratioBars,
  table,
  undisturbed,
} from './report.ts'
import { type Server, startFundus } from './server.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'open-file-cache': { type: 'boolean', default: false },
    loopback: { type: 'boolean', default: false },
  },
})
const ONLY = new RegExp(options.only)
const SECONDS = options.quick ? 1 : 3
const PAIRS = options.quick ? 2 : 3
const LEGEND = `"core used": of the server's core. "per core second": ratio of requests per second of its processor time, which
holds also where the load is the limit.`
const MEMORY_LIMIT = 300 * MB
const MEMORY_UPLOADS = 32
const MEMORY_SIZE = 64 * MB

async function measure(server: Server, each: Case, seconds: number): Promise<Measured> {
  const [cpu, busy, from] = [cpuSeconds(server.pid), busySeconds(), performance.now()]
  const run = await each.run(server, seconds).catch(error => {
    throw new Error(`${each.name}, ${server.name}: ${error}\nIts last words: ${server.lastWords()}`)
  })
  const elapsed = (performance.now() - from) / 1000
  const used = cpuSeconds(server.pid) - cpu
  return { ...run, cpu: used / elapsed, others: (busySeconds() - busy - used - run.loadSeconds) / elapsed }
}

/** A B A B …, so that whatever else the machine does meets both alike. */
async function compare(each: Case, fundus: Server, nginx: Server): Promise<CaseResult> {
  for (const server of [fundus, nginx]) await measure(server, each, 1) // both warm
  const pairs: Pair[] = []
  // Pairs into which somebody else broke are made up for, as long as there is hope.
  while (pairs.length < PAIRS || (pairs.length < 2 * PAIRS && pairs.filter(undisturbed).length < PAIRS)) {
    pairs.push({ fundus: await measure(fundus, each, SECONDS), nginx: await measure(nginx, each, SECONDS) })
  }
  const quiet = pairs.filter(undisturbed)
  const used = quiet.length >= PAIRS ? quiet : pairs
  const runs = { fundus: used.map(pair => pair.fundus), nginx: used.map(pair => pair.nginx) }
  const result = { case: each, fundus: median(runs.fundus), nginx: median(runs.nginx) }
  const spread = (list: Measured[]) => list.map(run => Math.round(run.perSecond)).join(' ')
  console.log(`  ${each.name}: Fundus ${spread(runs.fundus)} · nginx ${spread(runs.nginx)} /s`)
  return result
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

async function main(folder: string, line: Line): Promise<number> {
  const started = performance.now()
  const lines: string[] = []
  const say = (line: string) => {
    console.log(line)
    lines.push(line)
  }
  say(`# Fundus ${commit()} beside nginx, ${new Date().toISOString()}\n`)
  say(`- Machine: ${describeMachine()}; ${folder}`)
  const flushes = await durableWritesPerSecond(folder, 1)
  say(
    `- This disk keeps ${Math.round(flushes)} files of 10 KB a second for good (write, flush, rename, flush folder).`,
  )
  say(`- Server on core 0, load on core 1, 64 connections; reads ${line.description}.`)
  say('- Medians of runs in turn. MB = 1024 × 1024 bytes.')
  say('- Uploads: nginx (dav PUT) flushes nothing to disk, hashes nothing and keeps no record;')
  say('  Fundus answers only after file, folder and database row would survive a power cut.\n')

  const nginx = await startNginx(folder, line, { openFileCache: options['open-file-cache'] })
  const fundus = await startFundus(folder, line)
  const results: CaseResult[] = []
  let bars: Bar[]
  try {
    const nginxRoot = join(folder, 'root')
    const cases = await prepareCases({
      line,
      fundus,
      nginx,
      nginxRoot,
      folder,
      quick: options.quick,
      only: ONLY,
    })
    console.log(`files in place after ${((performance.now() - started) / 1000).toFixed(0)} s`)
    for (const each of cases) results.push(await compare(each, fundus, nginx))
    bars = await memoryBars(folder, line, fundus)
  } finally {
    await Promise.all([fundus.stop(), nginx.stop()])
  }

  bars = [...ratioBars(results), ...bars, ...errorBars(results)]
  console.log()
  if (results.length > 0) say(`${table(results)}\n\n${LEGEND}\n`)
  for (const { what, found, verdict } of bars) say(`- ${verdict}: ${what}: ${found}`)
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s in all`)
  if (options.save) {
    const file = join(import.meta.dir, 'results', `${new Date().toISOString().slice(0, 10)}-${commit()}.md`)
    await mkdir(join(import.meta.dir, 'results'), { recursive: true })
    await writeFile(file, `${lines.join('\n')}\n`)
    console.log(`written to ${file}`)
  }
  return bars.every(bar => bar.verdict === 'pass') ? 0 : 1
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
const line = openLine(options.loopback)
let code = 1
try {
  code = await main(folder, line)
} finally {
  line.close()
  await rm(folder, { recursive: true, force: true })
}
// Connections that are kept alive would hold the process.
process.exit(code)
