/**
 * `npm run bench -- start`: how long the service takes from its start to the first answer with a million
 * files, the memory that it takes idle, alone and as two workers, and whether a million requests let that
 * grow.
 *   --rows N       another size
 *   --data DIR     a folder that `bench/seed.ts` has filled
 *   --requests N   another number of requests; 0 leaves them out
 * Exits with 1 when a bar is missed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBundle } from '../test/support/bundle.ts'
import { freePort } from '../test/support/ports.ts'
import { HEAD_ONLY } from './cases.ts'
import { openLine } from './line.ts'
import { busySeconds, cpuSeconds, describeMachine, needTools, processTree, SERVER_CORE } from './machine.ts'
import { percentile } from './percentile.ts'
import { SERVED, seed } from './seed.ts'
import { runWrk } from './wrk.ts'

const STARTS = 9
/**
 * Milliseconds from the start to the first answer; megabytes of one idle process; growth over the requests.
 */
const START_BAR = 500
const IDLE_BAR = 75
const GROWTH_BAR = 10
/** Milliseconds after which a service that nobody asks has come to rest. */
const REST = 10_000
/** Seconds for which the load runs at a time. */
const PIECE_SECONDS = 2

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    requests: { type: 'string', default: '1000000' },
  },
})

async function start(dataDir: string, workers = 1) {
  const port = freePort()
  const began = performance.now()
  const child = Bun.spawn(
    ['taskset', '-c', SERVER_CORE, process.execPath, 'src/cli.ts', 'start', '--no-build'],
    {
      cwd: join(import.meta.dir, '..'),
      env: {
        ...process.env,
        ...{ DATA_DIR: dataDir, PORT: `${port}`, HOST: '127.0.0.1', WORKERS: `${workers}` },
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/health`).catch(() => null))?.ok) await Bun.sleep(2)
  return {
    port,
    pid: child.pid,
    took: performance.now() - began,
    /** Of the whole start. */
    cpu: cpuSeconds(child.pid) * 1000,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      process.off('exit', kill)
    },
  }
}

/** Megabytes: all pages of the process, and its share of those that it has in common with others. */
function memoryOf(pid: number): { rss: number; pss: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)![1]) / 1024
  return { rss: field('Rss'), pss: field('Pss') }
}

const shown = ({ rss, pss }: ReturnType<typeof memoryOf>) => `${rss.toFixed(0)} MB (${pss.toFixed(0)} PSS)`

/**
 * Asks for the small files of the library; prints the memory after a tenth, a half and all of the requests.
 */
async function ask(port: number, pid: number, folder: string, requests: number): Promise<number> {
  const targets = join(folder, 'targets.txt')
  await writeFile(targets, Array.from({ length: SERVED }, (_, at) => `/f/served/${at}.txt\n`).join(''))
  const marks = [0.1, 0.5, 1].map(share => share * requests)
  const seen: number[] = []
  for (let done = 0; marks.length > 0; ) {
    const { perSecond, errors } = await runWrk(openLine(true), port, targets, PIECE_SECONDS, {
      bytes: HEAD_ONLY,
    })
    if (errors.length > 0) throw new Error(errors.join('; '))
    done += perSecond * PIECE_SECONDS
    if (done < marks[0]!) continue
    marks.shift()
    console.log(`after ${Math.round(done)} requests: ${shown(memoryOf(pid))}`)
    seen.push(memoryOf(pid).rss)
  }
  return seen.at(-1)! - seen[0]!
}

async function main(dataDir: string, folder: string): Promise<boolean> {
  makeBundle()
  const rows = Number(options.rows)
  if (!existsSync(join(dataDir, 'fundus.db')))
    console.log(`${rows} rows seeded in ${(await seed(dataDir, rows)).toFixed(0)} s`)
  await (await start(dataDir)).stop() // what seeding left is put in order
  const starts: Awaited<ReturnType<typeof start>>[] = []
  while (starts.length < STARTS) {
    starts.push(await start(dataDir))
    await starts.at(-1)!.stop()
  }
  const took = percentile(
    starts.map(each => each.took),
    0.5,
  )
  const cpu = percentile(
    starts.map(each => each.cpu),
    0.5,
  )
  console.log(
    `first answer after ${took.toFixed(0)} ms, ${cpu.toFixed(0)} ms of processor time (bar ${START_BAR} ms)`,
  )
  const service = await start(dataDir)
  try {
    await Bun.sleep(REST)
    const idle = memoryOf(service.pid)
    console.log(`idle: ${shown(idle)} (bar ${IDLE_BAR} MB)`)
    const requests = Number(options.requests)
    const grown = requests > 0 ? await ask(service.port, service.pid, folder, requests) : 0
    if (requests > 0)
      console.log(`grown by ${grown.toFixed(0)} MB after the first tenth (bar ${GROWTH_BAR} MB)`)
    return took < START_BAR && idle.rss < IDLE_BAR && grown < GROWTH_BAR
  } finally {
    await service.stop()
  }
}

async function areWorkersSmall(dataDir: string): Promise<boolean> {
  const service = await start(dataDir, 2)
  try {
    await Bun.sleep(REST)
    const [supervisor, ...workers] = processTree(service.pid).map(memoryOf)
    console.log(`idle workers: ${workers.map(shown).join(', ')} (bar ${IDLE_BAR} MB each)`)
    console.log(`their supervisor: ${shown(supervisor!)}`)
    return workers.every(({ rss }) => rss < IDLE_BAR)
  } finally {
    await service.stop()
  }
}

await needTools()
const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'fundus-start-'))
const busy = busySeconds()
await Bun.sleep(1000)
console.log(`${describeMachine()}; others keep ${(busySeconds() - busy).toFixed(1)} cores busy`)
let reached = false
try {
  const dataDir = options.data ?? join(folder, 'data')
  reached = await main(dataDir, folder)
  reached = (await areWorkersSmall(dataDir)) && reached
} finally {
  await rm(folder, { recursive: true, force: true })
}
// Connections that are kept alive would hold the process.
process.exit(reached ? 0 : 1)
