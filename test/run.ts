/**
 * `npm test` and, with `--long`, `--many` or `--windows`, `npm run test:long`, `test:many` and `test:windows`, after
 * prepare.ts: what the test files of one run share is started once, here, and ended here. Per worker a process that
 * holds services and for all workers one that runs commands (support/host.ts), one Chromium, one object store, one
 * PostgreSQL server, one folder for everything temporary. Arguments go on to `bun test`; `npm test -- test/browser`
 * runs what is below that folder.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { BROWSER_VARIABLE, findChromium, launchChromiumServer } from './browser/chromium.ts'
import { findCeph, startCeph } from './support/ceph.ts'
import { namedTests, notRun } from './support/coverage.ts'
import { DISK_VARIABLE } from './support/folder.ts'
import { HOSTS_VARIABLE, type HostAddress, type HostAddresses, spawnHost } from './support/host-client.ts'
import { ENGINE_FAULTS, LEFT_TO_LONG, LEFT_TO_MANY } from './support/left-out.ts'
import {
  EMBEDDED_FILES,
  MODE_VARIABLE,
  NOT_UNDER_WINE,
  ON_TWO_INSTANCES,
  ON_TWO_WORKERS,
  ON_WINDOWS,
  WORKERS_VARIABLE,
} from './support/modes.ts'
import { findPostgres, POSTGRES_VARIABLE, startPostgres } from './support/postgres.ts'
import { failuresOfReport, testsOfReport } from './support/report.ts'
import { S3_VARIABLE } from './support/s3.ts'
import { findTool } from './support/tools.ts'
import { openWindows, WINDOWS_VARIABLE, withoutNoise } from './support/windows.ts'
import { findWine } from './support/wine.ts'

/**
 * One more than cores: tests wait about a third of their time, for disks, other processes and pages. Under Wine they do
 * not, and what is slower by itself must not wait for others too.
 */
const WORKERS = Math.min(availableParallelism() + (process.argv[2] === '--windows' ? 0 : 1), 4)
/** What files took, so that the longest begin first; `npm test -- --update-timings` writes it anew. */
const TIMINGS = '--timings=test/timings.json'
const LONG_TESTS = ['test/long/', 'test/fresh/', 'test/crash/', ...LEFT_TO_LONG]
/** What `npm test` leaves to other commands. */
const APART = ['test/long/', 'test/many/', 'test/fresh/', 'test/windows/', ...LEFT_TO_LONG, ...LEFT_TO_MANY]
/**
 * With `--windows`: only what `npm run test:long` runs of it. With `--long`: few acceptance files with two workers, as
 * in `.ci/run`.
 */
const SOME = '--some'
/** With `--long`: every acceptance file with two workers, and nothing else. */
const ALL_WORKERS = '--workers'
/** More files than these do not fail by chance. */
const MOST_UNSTEADY_FILES = 4
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
const mayTryAgain = process.env.FUNDUS_TEST_SECOND_TRY === '1'
const windows = given[0] === '--windows' ? await startWindows() : undefined

const hosts: { address: HostAddress; child: Bun.Subprocess<'pipe'> }[] = []
async function startHost(name: string): Promise<HostAddress> {
  const complaintsFile = join(folder, name)
  const { child, url } = await spawnHost(Bun.file(complaintsFile))
  const address = { url, complaintsFile }
  hosts.push({ child, address })
  return address
}
const addresses: HostAddresses = {
  services: await Promise.all(Array.from({ length: WORKERS }, (_, at) => startHost(`services-${at + 1}`))),
  commands: await startHost('commands'),
}
const hasChromium = !windows && findTool('chromium', findChromium) !== null
const browser = hasChromium ? await launchChromiumServer() : undefined

const [store, database] = await Promise.all([
  windows || findTool('radosgw', findCeph) === null ? undefined : startCeph(),
  windows || findTool('postgresql', findPostgres) === null ? undefined : startPostgres(),
])

// Ctrl+C reaches the tests as well; what they share goes after them.
let running: Bun.Subprocess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => running?.kill(signal))

/** What failed, to be said again at the end: thousands of lines may stand below it. */
const failures: string[] = []
let reports = 0

interface Outcome {
  code: number
  /** Something failed outside of any test, as a file that cannot be loaded: the report does not tell. */
  hadErrors: boolean
  /** In the form of JUnit; empty when the run did not get that far. */
  report: string
}

// Not isolated: a worker loads what its files share once, not anew for each. `npm test -- --isolate` shows whether a file
// only passes or fails because of another.
async function runOnce(selected: readonly string[], environment: Record<string, string>): Promise<Outcome> {
  const report = join(folder, `report-${++reports}.xml`)
  const command = [process.execPath, 'test', `--parallel=${WORKERS}`, '--no-isolate', '--timeout=180000']
  running = Bun.spawn([...command, '--reporter=junit', `--reporter-outfile=${report}`, ...selected], {
    env: {
      ...(long && { CRASH_ROUNDS: LONG_CRASH_ROUNDS }),
      ...process.env,
      ...environment,
      [HOSTS_VARIABLE]: JSON.stringify(addresses),
      ...(browser && { [BROWSER_VARIABLE]: browser.wsEndpoint() }),
      ...(store && { [S3_VARIABLE]: JSON.stringify(store.place) }),
      ...(database && { [POSTGRES_VARIABLE]: String(database.port) }),
    },
    stdio: ['inherit', 'inherit', mayTryAgain ? 'pipe' : 'inherit'],
  })
  let end = ''
  if (running.stderr instanceof ReadableStream)
    for await (const chunk of running.stderr) {
      process.stderr.write(chunk)
      end = (end + Buffer.from(chunk).toString()).slice(-1000)
    }
  return {
    code: await running.exited,
    hadErrors: /^ \d+ errors?$/m.test(end),
    report: existsSync(report) ? readFileSync(report, 'utf8') : '',
  }
}

/**
 * With the second try allowed, as in `.ci/run`, a few files that failed run once more without the others beside them.
 * What passes then is still named at the end, as unsteady.
 */
async function runReported(
  selected: readonly string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const outcome = await runOnce(selected, environment)
  const failed = failuresOfReport(outcome.report)
  const files = [...new Set(failed.map(({ file }) => file))]
  const tryAgain =
    mayTryAgain && !outcome.hadErrors && files.length > 0 && files.length <= MOST_UNSTEADY_FILES
  const again = tryAgain
    ? await runOnce(
        files.map(file => `./${file}`),
        environment,
      )
    : undefined
  const verdict = again?.code === 0 ? 'UNSTEADY, passed at the second try' : 'FAILED'
  failures.push(...failed.map(({ file, name, reason }) => `${verdict}: ${file}: ${name}\n${reason}`))
  return { ...outcome, code: again?.code ?? outcome.code }
}

const runTests = async (selected: readonly string[], environment?: Record<string, string>) =>
  (await runReported(selected, environment)).code

const onTwoInstances = (files: readonly string[]) =>
  runTests([TIMINGS, ...files.map(name => `./test/acceptance/${name}.test.ts`)], {
    [MODE_VARIABLE]: 'shared',
  })

/** The crash tests and acceptance files, each service with two workers. */
const onTwoWorkers = (files: readonly string[]) =>
  runTests([TIMINGS, ...CRASH_TESTS, ...files.map(name => `./test/acceptance/${name}.test.ts`)], {
    [WORKERS_VARIABLE]: '2',
    CRASH_ROUNDS: WORKERS_CRASH_ROUNDS,
  })

/** Runs a whole set of tests, and sees that every test of that set that docs/coverage.md names did run. */
async function runCovered(selected: readonly string[], isInRun: (file: string) => boolean): Promise<number> {
  const { code, report } = await runReported(selected)
  const missing = notRun(namedTests(readFileSync('docs/coverage.md', 'utf8')), testsOfReport(report), isInRun)
  failures.push(...missing.map(each => `docs/coverage.md names a test that did not run: ${each}`))
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
    const selected = [TIMINGS, ...LONG_TESTS.map(each => `./${each}`), ...more]
    if (more.length > 0) return runTests(selected)
    const alone = await runCovered(selected, isIn(LONG_TESTS))
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
  // Whoever names a file wants it to run, also one that is left out otherwise.
  if (given.some(each => !each.startsWith('-'))) return runTests([TIMINGS, ...given])
  const left = APART.map(each => `--path-ignore-patterns=${each.endsWith('/') ? `${each}**` : each}`)
  const usual = [TIMINGS, ...left, ...given]
  if (given.length > 0) return runTests(usual)
  const embedded = await runCovered(usual, file => !isIn(APART)(file))
  if (process.env.FUNDUS_TEST_MANY_FOLLOWS === '1') return embedded
  return (await onTwoInstances(ON_TWO_INSTANCES)) || embedded
}
const code = await runAll()
if (failures.length > 0) console.error(`\n${failures.join('\n\n')}`)

await browser?.close()
await store?.[Symbol.asyncDispose]()
await database?.stop()
for (const { child, address } of hosts) {
  await child.stdin.end()
  await child.exited
  const complaints = withoutNoise(readFileSync(address.complaintsFile, 'utf8'))
  if (code !== 0 && complaints !== '')
    console.error(`A process that held services or ran commands wrote:\n${complaints}`)
}
await windows?.[Symbol.asyncDispose]()
process.exit(code)

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
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= MEMORY_WANTED ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}
