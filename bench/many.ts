/**
 * `npm run bench -- many`: the service on PostgreSQL and an object store, beside the embedded one and beside
 * the store itself, in one run on one machine. Everything is flushed, as an operator has it.
 *   --quick            fewer and shorter runs, a smaller library; enough to see where things stand
 *   --only PATTERN     only parts whose name matches the regular expression: serving, uncached, uploads,
 *                      library
 * BENCH_DIR: where the data lie; the system's temporary folder unless set. Exits with 1 when a bar is missed.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DISK_VARIABLE } from '../test/support/folder.ts'
import { commit, describeMachine, durableWritesPerSecond, needTools } from './machine.ts'
import { measureManyRows } from './many-library.ts'
import { type Bench, openBench } from './many-servers.ts'
import { measureServing, measureUncached } from './many-serving.ts'
import { measureUploads } from './many-uploads.ts'
import type { Bar } from './report.ts'

const PARTS: Record<string, (bench: Bench) => Promise<Bar[]>> = {
  serving: measureServing,
  uncached: measureUncached,
  uploads: measureUploads,
  library: measureManyRows,
}

/**
 * A bar that is missed while a busy loop gets less than this of a core says nothing. It is not passed either.
 */
const QUIET = 0.8

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
})
const only = new RegExp(options.only)

async function main(folder: string): Promise<number> {
  console.log(`Fundus ${commit()}, ${new Date().toISOString()}, ${describeMachine()}; ${folder}`)
  console.log(
    `The disk: eight writers keep ${Math.round(await durableWritesPerSecond(folder, 1))} files of 10 KB a second for good.`,
  )
  await using bench = await openBench(folder, options.quick)
  let missed = 0
  for (const [name, measure] of Object.entries(PARTS)) {
    if (!only.test(name)) continue
    const before = shareOfACore()
    const bars = await measure(bench)
    const share = Math.min(before, shareOfACore())
    if (share < QUIET) console.log(`A busy loop got ${share.toFixed(2)} of a core: others are at work.`)
    for (const { what, found, verdict } of bars) {
      console.log(`- ${share < QUIET && verdict === 'MISS' ? 'VOID' : verdict}: ${what}: ${found}`)
      if (verdict !== 'pass') missed++
    }
  }
  return missed === 0 ? 0 : 1
}

/** Below 1 others use the machine, and everything takes longer than it works. */
function shareOfACore(): number {
  const [began, used] = [performance.now(), process.cpuUsage()]
  while (performance.now() - began < 1000);
  const { user, system } = process.cpuUsage(used)
  return (user + system) / 1000 / (performance.now() - began)
}

await needTools()
const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'fundus-many-'))
// PostgreSQL runs under another account where we are root.
await chmod(folder, 0o755)
process.env[DISK_VARIABLE] = folder
let code = 1
try {
  code = await main(folder)
} finally {
  await rm(folder, { recursive: true, force: true })
}
// The processes that made tokens and databases for us would keep this one alive; they end with it.
process.exit(code)
