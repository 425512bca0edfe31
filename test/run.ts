/**
 * Runs `npm test` and the other `test:` scripts, after prepare.ts: support/run/modes.ts lists what each of
 * them runs. One folder holds everything temporary; shared parts are started on demand and ended here.
 * Arguments are passed to `bun test`; `npm test -- test/browser` runs only that folder.
 */
import { DISK_VARIABLE } from './support/folder.ts'
import { isInsisting } from './support/needs.ts'
import { randomSeed, SEED_VARIABLE } from './support/random-seed.ts'
import { openRunFolders } from './support/run/folders.ts'
import { endLeftProcesses } from './support/run/left-processes.ts'
import { planOf } from './support/run/modes.ts'
import { openParts } from './support/run/parts.ts'
import { createPasses } from './support/run/passes.ts'
import { createSummary } from './support/run/summary.ts'
import { windowsRun } from './support/windows.ts'

const { folder, disk } = openRunFolders()
process.env.TMPDIR = folder
process.env[DISK_VARIABLE] = disk
process.env[SEED_VARIABLE] ??= String(randomSeed())
const seed = `${SEED_VARIABLE}=${process.env[SEED_VARIABLE]}`
console.info(`The random choices of this run: ${seed}`)

const given = process.argv.slice(2)
const isStrict = isInsisting(given)
const summary = createSummary({ isStrict, seed })
const parts = openParts(folder)
const code = await runPlan()
for (const text of code === 0 ? [] : parts.complaints())
  console.error(`A process that held services or ran commands wrote:\n${text}`)
const left = await endLeftProcesses(folder)
// Processes of Wine end at times of their own.
const remains = windowsRun() ? [] : left
summary.complain(remains.map(command => `A test left a process behind: ${command}`))
const exitCode = code || (remains.length > 0 ? 1 : 0)
summary.tell(exitCode)
process.exit(exitCode)

/** Returns the exit code of the last pass that failed. */
async function runPlan(): Promise<number> {
  const { passes, open, next } = planOf(given)
  await using _opened = await open?.(disk)
  const { run, runNext } = createPasses({ isStrict, folder, partsUrl: parts.url, summary })
  let code = 0
  for (const pass of passes) code = (await run(pass)) || code
  if (next?.length) code = (await runNext(next)) || code
  await parts.end()
  return code
}
