/**
 * `npm test` and, with `--long`, `--many`, `--steady` or `--windows`, `npm run test:long`, `test:many`, `test:steady` and
 * `test:windows`, after prepare.ts. What the test files of one run share is started when the first of them asks for it
 * (support/shared-parts.ts), and ended here: per worker a process that holds services and for all workers one that runs
 * commands (support/host.ts), one Chromium, one object store, one PostgreSQL server. One folder holds everything temporary.
 * Arguments go on to `bun test`; `npm test -- test/browser` runs what is below that folder.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromiumServer } from './browser/chromium.ts'
import { findCeph, startCeph } from './support/ceph.ts'
import { namedTests, notRun } from './support/coverage.ts'
import { DISK_VARIABLE } from './support/folder.ts'
import { type HostAddress, spawnHost } from './support/host-client.ts'
import {
  ENGINE_FAULTS,
  filesLeftInPart,
  LEFT_TO_LONG,
  LEFT_TO_MANY,
  ORDINARY_VARIABLE,
} from './support/left-out.ts'
import { endLeftProcesses } from './support/left-processes.ts'
import {
  EMBEDDED_FILES,
  MODE_VARIABLE,
  NOT_ON_BUN,
  NOT_UNDER_WINE,
  ON_TWO_INSTANCES,
  ON_TWO_WORKERS,
  ON_WINDOWS,
  SERVICE_VARIABLE,
  WORKERS_VARIABLE,
} from './support/modes.ts'
import { isInsisting } from './support/needs.ts'
import { findPostgres, startPostgres } from './support/postgres.ts'
import { randomSeed, SEED_VARIABLE } from './support/random-seed.ts'
import { type Outcome, readOutcome, testsOfReport } from './support/report.ts'
import { offerParts, RUN_VARIABLE } from './support/shared-parts.ts'
import { quickFiles, startBusyLoops } from './support/steady.ts'
import { createSummary } from './support/summary.ts'
import { findTool } from './support/tools.ts'
import { openWindows, WINDOWS_VARIABLE, withoutNoise } from './support/windows.ts'
import { findWine } from './support/wine.ts'

/**
 * Two more than cores: tests wait about half of their time, for disks, other processes and pages. Under Wine they do
 * not, and what is slower by itself must not wait for others too.
 */
const WORKERS = Math.min(availableParallelism() + (process.argv[2] === '--windows' ? 0 : 2), 4)
/** What files took, so that the longest begin first; `npm test -- --update-timings` writes it anew. */
const TIMINGS = '--timings=test/timings.json'
const LEFT_IN_PART = filesLeftInPart()
const LONG_TESTS = ['test/long/', 'test/fresh/', 'test/crash/', ...LEFT_TO_LONG, ...LEFT_IN_PART]
/** What `npm test` leaves to other commands. */
const APART = ['test/long/', 'test/many/', 'test/fresh/', 'test/windows/', ...LEFT_TO_LONG, ...LEFT_TO_MANY]
/**
 * With `--windows`: only what `npm run test:long` runs of it. With `--long`: few acceptance files with two workers.
 */
const SOME = '--some'
/** A second bare Debian takes as long as the first, and shows little more. */
const LEFT_OUT_OF_SOME = ['test/fresh/debian-12.test.ts']
/** With `--long`: every acceptance file with two workers, and nothing else. */
const ALL_WORKERS = '--workers'
/** With `--long`: the acceptance files without `sendfile` and on the runtime's HTTP server, and nothing else. */
const SERVERS = '--servers'
/** How often `--steady` runs each quick file. */
const REPEATS = 20
/** Those that start services. */
const CRASH_TESTS = ['./test/crash/kill.test.ts', './test/crash/power-cut.test.ts']
const LONG_CRASH_ROUNDS = '60'
const WORKERS_CRASH_ROUNDS = '12'
/** Some tests fill disks of their own and copy hundreds of megabytes; below this the real disk is the better place. */
const MEMORY_WANTED = 4 * 2 ** 30

const newFolder = (place: string) => {
  const path = mkdtempSync(join(place, 'fundus-tests-'))
  // PostgreSQL runs under another account and must reach its own folder below this one.
  chmodSync(path, 0o711)
  process.on('exit', () => rmSync(path, { recursive: true, force: true }))
  return path
}
const onDisk = newFolder(tmpdir())
const folder = newFolder(placeInMemory() ?? onDisk)
process.env.TMPDIR = folder
process.env[DISK_VARIABLE] = onDisk

const given = process.argv.slice(2)
const long = given[0] === '--long'
const many = given[0] === '--many'
const steady = given[0] === '--steady'
const isStrict = isInsisting(given)
process.env[SEED_VARIABLE] ??= String(randomSeed())
const seed = `${SEED_VARIABLE}=${process.env[SEED_VARIABLE]}`
console.info(`The random choices of this run: ${seed}`)
const windows = given[0] === '--windows' ? await startWindows() : undefined

const complaintsFiles: string[] = []
async function startHost(name: string) {
  const complaintsFile = join(folder, name)
  complaintsFiles.push(complaintsFile)
  const { child, url } = await spawnHost(Bun.file(complaintsFile))
  const address: HostAddress = { url, complaintsFile }
  return {
    address,
    async end() {
      await child.stdin.end()
      await child.exited
    },
  }
}

const parts = offerParts({
  async chromium() {
    const browser = await launchChromiumServer()
    return { address: browser.wsEndpoint(), end: () => browser.close() }
  },
  async postgres() {
    const server = await startPostgres()
    return { address: server.port, end: server.stop }
  },
  async store() {
    const ceph = await startCeph()
    return { address: ceph.place, end: async () => ceph[Symbol.asyncDispose]() }
  },
  commands: () => startHost('commands'),
  services: startHost,
})

// Ctrl+C reaches the tests as well; what they share goes after them.
let running: Bun.Subprocess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => running?.kill(signal))

const summary = createSummary({ isStrict, seed })
let reports = 0

// Not isolated: a worker loads what its files share once, not anew for each. `npm test -- --isolate` shows whether a file
// only passes or fails because of another.
async function runOnce(selected: readonly string[], environment: Record<string, string>): Promise<Outcome> {
  const report = join(folder, `report-${++reports}.xml`)
  const command = [process.execPath, 'test', `--parallel=${WORKERS}`, '--no-isolate', '--timeout=180000']
  running = Bun.spawn([...command, '--reporter=junit', `--reporter-outfile=${report}`, ...selected], {
    env: {
      ...(process.stderr.isTTY && { FORCE_COLOR: '1' }),
      ...(long && { CRASH_ROUNDS: LONG_CRASH_ROUNDS }),
      ...process.env,
      ...environment,
      [RUN_VARIABLE]: parts.url,
    },
    stdio: ['inherit', 'inherit', 'pipe'],
  })
  let shown = ''
  for await (const chunk of running.stderr as ReadableStream<Uint8Array>) {
    process.stderr.write(chunk)
    shown = (shown + Buffer.from(chunk).toString()).slice(-2000)
  }
  return readOutcome({
    code: await running.exited,
    shown: Bun.stripANSI(shown),
    xml: existsSync(report) ? readFileSync(report, 'utf8') : '',
  })
}

/** Every failure counts: no file runs a second time. */
async function runReported(
  selected: readonly string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const outcome = await runOnce(selected, environment)
  // What another mode or a pattern of names leaves out says nothing about this machine.
  const isPart = windows !== undefined || environment[MODE_VARIABLE] !== undefined || given.includes('-t')
  summary.add(isPart ? { ...outcome, skipped: [] } : outcome)
  return !isStrict && outcome.onlyLacked ? { ...outcome, code: 0 } : outcome
}

const runTests = async (selected: readonly string[], environment?: Record<string, string>) =>
  (await runReported(selected, environment)).code

async function onTwoInstances(files: readonly string[]): Promise<number> {
  const lacking = [
    ...(findTool('postgresql', findPostgres) ? [] : ['postgresql' as const]),
    ...(findTool('radosgw', findCeph) ? [] : ['radosgw' as const]),
  ]
  if (!isStrict && lacking.length > 0) {
    summary.leaveOut(`${files.length} files of test/acceptance on two instances`, lacking)
    return 0
  }
  return runTests([TIMINGS, ...files.map(name => `./test/acceptance/${name}.test.ts`)], {
    [MODE_VARIABLE]: 'shared',
  })
}

/** The crash tests and acceptance files, each service with two workers. */
const onTwoWorkers = (files: readonly string[]) =>
  runTests([TIMINGS, ...CRASH_TESTS, ...files.map(name => `./test/acceptance/${name}.test.ts`)], {
    [WORKERS_VARIABLE]: '2',
    CRASH_ROUNDS: WORKERS_CRASH_ROUNDS,
  })

/** The acceptance files with one variable set for each service. */
const withSetting = (setting: string, files: readonly string[]) =>
  runTests([TIMINGS, ...files.map(name => `./test/acceptance/${name}.test.ts`)], {
    [SERVICE_VARIABLE]: setting,
  })

/** Runs a whole set of tests, and sees that every test of that set that docs/coverage.md names did run. */
async function runCovered(selected: readonly string[], isInRun: (file: string) => boolean): Promise<number> {
  const { code, xml, lacking, skipped } = await runReported(selected)
  // Files of which this machine could not run everything were named already.
  const excused = new Set(isStrict ? [] : [...lacking, ...skipped].map(({ file }) => file))
  const missing = notRun(
    namedTests(readFileSync('docs/coverage.md', 'utf8')),
    testsOfReport(xml),
    file => isInRun(file) && !excused.has(file),
  )
  summary.complain(missing.map(each => `docs/coverage.md names a test that did not run: ${each}`))
  return code || (missing.length > 0 ? 1 : 0)
}

const isIn = (selected: readonly string[]) => (file: string) => selected.some(each => file.startsWith(each))

/** Another run of this file: its services are others than those of a usual run. */
async function runSomeOfWindows(): Promise<number> {
  running = Bun.spawn([process.execPath, 'test/run.ts', '--windows', SOME], {
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  return running.exited
}

/** The exit code of the first run that failed. */
async function runAll(): Promise<number> {
  const names = readdirSync('test/acceptance').flatMap(file => /^(.*)\.test\.ts$/.exec(file)?.[1] ?? [])
  if (long) {
    const more = given.slice(1).filter(each => each !== SOME)
    if (more[0] === ALL_WORKERS) return onTwoWorkers(names)
    if (more[0] === SERVERS) {
      // That file chooses its servers itself.
      const others = names.filter(name => name !== 'http-server')
      const inPieces = await withSetting('SENDFILE=0', others)
      const onBun = others.filter(name => !(name in NOT_ON_BUN))
      return (await withSetting('HTTP_SERVER=bun', onBun)) || inPieces
    }
    const selected = [TIMINGS, ...LONG_TESTS.map(each => `./${each}`), ...more]
    if (more.length > 0) return runTests(selected)
    const without = given.includes(SOME) ? LEFT_OUT_OF_SOME : []
    const alone = await runCovered(
      [...selected, ...without.map(each => `--path-ignore-patterns=${each}`)],
      file => isIn(LONG_TESTS)(file) && !without.includes(file),
    )
    const together = await onTwoWorkers(given.includes(SOME) ? ON_TWO_WORKERS : names)
    return (await runSomeOfWindows()) || together || alone
  }
  if (windows) {
    const more = given.slice(1).filter(each => each !== SOME)
    if (more.length > 0) return runTests(more)
    const files = given.includes(SOME) ? ON_WINDOWS : names.filter(name => !(name in NOT_UNDER_WINE))
    const selected = files.map(name => `./test/acceptance/${name}.test.ts`)
    return runCovered(['./test/windows/', ...selected], isIn(['test/windows/']))
  }
  if (many) {
    const alone = await runTests([
      TIMINGS,
      './test/many',
      './test/conformance',
      ...ENGINE_FAULTS.map(each => `./${each}`),
    ])
    return (await onTwoInstances(names.filter(name => !(name in EMBEDDED_FILES)))) || alone
  }
  if (steady) {
    using _loops = startBusyLoops()
    const more = given.slice(1)
    return runTests([`--rerun-each=${REPEATS}`, ...(more.length > 0 ? more : quickFiles())])
  }
  // Whoever names a file wants it to run, also one that is left out otherwise.
  if (given.some(each => !each.startsWith('-'))) return runTests([TIMINGS, ...given])
  const left = APART.map(each => `--path-ignore-patterns=${each.endsWith('/') ? `${each}**` : each}`)
  const usual = [TIMINGS, ...left, ...given]
  if (given.length > 0) return runTests(usual)
  process.env[ORDINARY_VARIABLE] = '1'
  const embedded = await runCovered(usual, file => !isIn([...APART, ...LEFT_IN_PART])(file))
  return (await onTwoInstances(ON_TWO_INSTANCES)) || embedded
}
const code = await runAll()
await parts.end()
await windows?.[Symbol.asyncDispose]()
const left = await endLeftProcesses(folder)
if (code !== 0)
  for (const file of complaintsFiles) {
    const complaints = withoutNoise(readFileSync(file, 'utf8'))
    if (complaints !== '') console.error(`A process that held services or ran commands wrote:\n${complaints}`)
  }
// Processes of Wine end when they want to.
const remains = windows ? [] : left
summary.complain(remains.map(command => `A test left a process behind: ${command}`))
const exitCode = code || (remains.length > 0 ? 1 : 0)
summary.tell(exitCode)
process.exit(exitCode)

/** From here on what is started is the archive for Windows, under Wine. */
async function startWindows() {
  if (findTool('wine64', findWine) === null) {
    console.error(
      'The tests for Windows run on Linux with Wine (x64 or arm64), which is not installed. On Debian: sudo apt-get install wine wine64 unzip.',
    )
    process.exit(1)
  }
  const opened = await openWindows(onDisk)
  process.env[WINDOWS_VARIABLE] = JSON.stringify(opened.run)
  return opened
}

/** A disk in memory: nothing but the tests of a disk itself needs a real one, and those mount their own. */
function placeInMemory(): string | undefined {
  try {
    accessSync('/dev/shm', constants.W_OK)
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= MEMORY_WANTED ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}
