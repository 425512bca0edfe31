/**
 * What each command runs: `npm test` and the `test:` scripts of package.json, with the options that
 * CONTRIBUTING.md names.
 */
import { readdirSync } from 'node:fs'
import { ENGINE_FAULTS, filesLeftInPart, LEFT_TO_LONG, LEFT_TO_MANY, ORDINARY_VARIABLE } from '../left-out.ts'
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
} from '../modes.ts'
import type { Tool } from '../tools.ts'
import { openWindows } from '../windows.ts'
import { quickFiles, startBusyLoops } from './steady.ts'

/** One start of `bun test`. */
export interface Pass {
  /** Files, folders and options. */
  args: readonly string[]
  environment?: Record<string, string>
  /** Every test of these files that docs/coverage.md names must have run. */
  covers?: (file: string) => boolean
  /**
   * The name of this pass in the summary, and the tools without which it is skipped unless the run insists.
   */
  optional?: { name: string; tools: readonly Tool[] }
}

export interface Mode {
  passes: readonly Pass[]
  /** Replaces `passes` if there are further arguments. If absent, further arguments are ignored. */
  named?: (more: readonly string[]) => Pass
  /** Surrounds all passes; gets a folder on a real disk. */
  open?: (disk: string) => Disposable | Promise<AsyncDisposable>
  /** Arguments of another run that follows in a process of its own, because its services differ. */
  next?: readonly string[]
}

const acceptance = readdirSync('test/acceptance').flatMap(file => /^(.*)\.test\.ts$/.exec(file)?.[1] ?? [])
const acceptanceWithout = (left: Readonly<Record<string, string>>) =>
  acceptance.filter(each => !(each in left))
const pathsOf = (names: readonly string[]) => names.map(name => `./test/acceptance/${name}.test.ts`)
const isIn = (paths: readonly string[]) => (file: string) => paths.some(each => file.startsWith(each))
const ignore = (paths: readonly string[]) =>
  paths.map(each => `--path-ignore-patterns=${each.endsWith('/') ? `${each}**` : each}`)

const LEFT_IN_PART = filesLeftInPart()
/** What `npm test` leaves to other commands. */
const APART = ['test/long/', 'test/many/', 'test/fresh/', 'test/windows/', ...LEFT_TO_LONG, ...LEFT_TO_MANY]
const isLeftOut = isIn([...APART, ...LEFT_IN_PART])
const LONG_TESTS = ['test/long/', 'test/fresh/', 'test/crash/', ...LEFT_TO_LONG, ...LEFT_IN_PART]
/** Tests that take minutes, and whose greater part `npm test` or the rest covers. */
const LEFT_OUT_OF_SOME = [
  'test/fresh/debian-12.test.ts',
  'test/long/every-page.test.ts',
  'test/long/retention-large.test.ts',
  'test/browser/stored-content.test.ts',
  'test/crash/fault-points.test.ts',
  'test/crash/system-calls.test.ts',
]
/** It waits for the time limits of hanging parts. */
const LEFT_OUT_OF_SOME_MANY = ['test/many/fault-points.test.ts']
/** Random sequences of operations; also run on each database engine and with several processes. */
const SEQUENCES = './test/crash/sequences.test.ts'
/** The crash tests that start services. */
const CRASH_TESTS = ['./test/crash/kill.test.ts', './test/crash/power-cut.test.ts', SEQUENCES]
/** How often `npm run test:steady` runs each quick file. */
const REPEATED = '--rerun-each=20'

const ordinary = { [ORDINARY_VARIABLE]: '1' }

const onTwoWorkers = (names: readonly string[]): Pass => ({
  args: [...CRASH_TESTS, ...pathsOf(names)],
  environment: { [WORKERS_VARIABLE]: '2', CRASH_ROUNDS: '12' },
})

const onTwoInstances = (names: readonly string[], environment = {}): Pass => ({
  args: pathsOf(names),
  environment: { ...environment, [MODE_VARIABLE]: 'shared' },
  optional: {
    name: `${names.length} files of test/acceptance on two instances`,
    tools: ['postgresql', 'radosgw'],
  },
})

/** `http-server` chooses its servers itself. */
const withSetting = (setting: string, left: Readonly<Record<string, string>>): Pass => ({
  args: pathsOf(acceptanceWithout({ ...left, 'http-server': '' })),
  environment: { [SERVICE_VARIABLE]: setting },
})

const longTests = (more: readonly string[], environment: Record<string, string> = {}): Pass => ({
  args: [...LONG_TESTS.map(each => `./${each}`), ...more],
  environment: { CRASH_ROUNDS: process.env.CRASH_ROUNDS ?? '60', ...environment },
})

const long = (names: readonly string[], without: readonly string[] = [], environment = {}): Mode => ({
  passes: [
    {
      ...longTests(ignore(without), environment),
      covers: file => isIn(LONG_TESTS)(file) && !without.includes(file),
    },
    onTwoWorkers(names),
  ],
  named: more => longTests(more),
  next: ['--windows', '--some'],
})

const longRun = long(acceptance)
const onOtherServers = [withSetting('SENDFILE=0', {}), withSetting('HTTP_SERVER=bun', NOT_ON_BUN)]

const windows = (names: readonly string[]): Mode => ({
  passes: [{ args: ['./test/windows/', ...pathsOf(names)], covers: isIn(['test/windows/']) }],
  named: args => ({ args }),
  open: openWindows,
})

const many = (left: Readonly<Record<string, string>>, without: readonly string[] = []): Mode => {
  const onBoth = onTwoInstances(acceptanceWithout(left))
  const faults = ENGINE_FAULTS.map(each => `./${each}`)
  return {
    passes: [
      { args: ['./test/many', './test/conformance', ...faults, ...ignore(without)] },
      { ...onBoth, args: [...onBoth.args, SEQUENCES] },
    ],
  }
}
/** What `.ci/run` has already run: on two instances, or in `test:long` for the answers of many files. */
const RUN_BEFORE = Object.fromEntries([...ON_TWO_INSTANCES, 'api-answers'].map(each => [each, '']))

const MODES: Readonly<Record<string, Mode>> = {
  '': {
    passes: [
      { args: ignore(APART), environment: ordinary, covers: file => !isLeftOut(file) },
      onTwoInstances(ON_TWO_INSTANCES, ordinary),
    ],
    // A named file runs completely, even if this mode leaves out the file or a part of it otherwise.
    named: more =>
      more.every(each => each.startsWith('-'))
        ? { args: [...ignore(APART), ...more], environment: ordinary }
        : { args: more },
  },
  '--long': { ...longRun, passes: [...longRun.passes, ...onOtherServers] },
  '--long --some': long(ON_TWO_WORKERS, LEFT_OUT_OF_SOME, { CRASH_ROUNDS: '15', FLUSH_ROUNDS: '3' }),
  '--long --workers': { passes: [onTwoWorkers(acceptance)] },
  '--long --servers': { passes: onOtherServers },
  '--many': many(EMBEDDED_FILES),
  '--many --some': many({ ...EMBEDDED_FILES, ...RUN_BEFORE }, LEFT_OUT_OF_SOME_MANY),
  '--windows': windows(acceptanceWithout(NOT_UNDER_WINE)),
  '--windows --some': windows(ON_WINDOWS),
  '--steady': {
    passes: [{ args: [REPEATED, ...quickFiles()] }],
    named: more => ({ args: [REPEATED, ...more] }),
    open: startBusyLoops,
  },
}

/** The mode that these arguments name, and what it runs for the remaining arguments. */
export function planOf(given: readonly string[]): Mode {
  const words = [2, 1].find(count => Object.hasOwn(MODES, given.slice(0, count).join(' '))) ?? 0
  const mode = MODES[given.slice(0, words).join(' ')]!
  const more = given.slice(words)
  return mode.named && more.length > 0 ? { ...mode, passes: [mode.named(more)], next: [] } : mode
}
