/**
 * The two modes in which tests start the service: embedded (SQLite and a folder, one process), or shared
 * (PostgreSQL, an object store, two instances between which connections alternate).
 */
import { test } from 'bun:test'
import { windowsRun } from './windows.ts'

/** `shared`: `startService` starts two instances on PostgreSQL and an object store. */
export const MODE_VARIABLE = 'FUNDUS_TEST_MODE'

export const isShared = () => process.env[MODE_VARIABLE] === 'shared'

/**
 * `2`: services of the embedded mode are processes with this many workers, among which connections are
 * spread.
 */
export const WORKERS_VARIABLE = 'FUNDUS_TEST_WORKERS'

/** Null: one process each, as usual. */
export const testWorkers = () => process.env[WORKERS_VARIABLE] ?? null

/** A variable that every service of the run gets, such as `HTTP_SERVER=bun`. */
export const SERVICE_VARIABLE = 'FUNDUS_TEST_SERVICE'

export function testSetting(): Record<string, string> {
  const [name, value] = process.env[SERVICE_VARIABLE]?.split('=') ?? []
  return name && value ? { [name]: value } : {}
}

const OWN_SERVER = 'about what only our own HTTP server can do'

/** Files of test/acceptance that a run with `HTTP_SERVER=bun` leaves out, and why. */
export const NOT_ON_BUN: Readonly<Record<string, string>> = {
  'backup-download': 'the runtime sends streams without their length',
  'connection-limits': OWN_SERVER,
  'early-answers': OWN_SERVER,
  errors: 'HTTP/1.0 without a host, and methods that the runtime does not know',
  'half-close': OWN_SERVER,
  head: 'the runtime answers HEAD with a length of 0 if the handler gives none',
  'hostile-names': 'methods that the runtime does not know',
  'http-fuzz': OWN_SERVER,
  'last-modified': 'the `Date` of the runtime may be a second behind',
  'without-host': 'requests whose `Host` the runtime refuses with a bare 400',
}

/** Why a test cannot be run on two instances; used as `embeddedOnly.folder('name of the test', …)`. */
const EMBEDDED_ONLY = {
  /**
   * Finds or damages files of the store in the data folder, where the other mode has only staging and a
   * cache.
   */
  folder: 'looks into the data folder',
  /** Opens the SQLite file directly. */
  sqlite: 'opens the SQLite file',
  /** Counts what one process does, or what it keeps in memory. */
  oneProcess: 'is about one process',
  /** Expects the defaults of PUBLIC_URL or SICHERUNG_ZIEL, which the other mode does not have. */
  defaults: 'expects a default that only the embedded mode has',
} as const

export const embeddedOnly = testsUnless(isShared(), EMBEDDED_ONLY)

/** Files of test/acceptance that only the embedded mode can pass, and why. */
export const EMBEDDED_FILES: Readonly<Record<string, string>> = {
  'dash-library-disk': 'objects follow renames, which those of an object store do not',
  'full-disk': 'fills the disk below the data folder',
  rebuild: 'rebuilds from a data folder',
  'replace-beside-start': 'replaces the SQLite file beside a start',
  rights: 'rights of files in the data folder',
  statistics: 'the clock of the service is set apart from that of the object store',
  'unwritable-disk': 'mounts the disk below the data folder',
  upgrade: 'a data folder of an earlier version',
  'wrong-clock': 'the clock of the service is set apart from that of the object store',
}

/** Why a test cannot be run under Wine; used as `notUnderWine.exif('name of the test', …)`. */
const NOT_UNDER_WINE_TESTS = {
  /** Wine's C library crashes below sharp; the service then stores the picture as it was sent. */
  exif: 'a picture with EXIF data is decoded',
  /**
   * On arm64 an exception of the image library is not caught and ends the decoder, so the file is tried
   * again.
   */
  unreadable: 'a picture that cannot be read',
  /** The service finds no ffmpeg there. */
  film: 'a film gets a preview',
  /** Windows accepts no backup target without a drive letter. */
  root: 'a target of the backup from the root on',
} as const

export const notUnderWine = testsUnless(windowsRun() !== undefined, NOT_UNDER_WINE_TESTS)

const OF_LINUX = 'about Linux: its disks, signals, rights or terminal, or figures of its processes'
const NO_REFUSAL = 'a connection that is refused: Wine does not report it, and the runtime waits or ends'
const OTHER_PROGRAM = 'starts programs of this machine, not those of the archive'
const SEVERAL = 'PostgreSQL and an object store'

/** Files of test/acceptance that `npm run test:windows` leaves out, and why. */
export const NOT_UNDER_WINE: Readonly<Record<string, string>> = {
  'api-examples': OTHER_PROGRAM,
  'backup-places': OF_LINUX,
  'backup-second': OF_LINUX,
  'broken-disk': OF_LINUX,
  'cli-output': OTHER_PROGRAM,
  'client-lua': OTHER_PROGRAM,
  'client-scripts': OTHER_PROGRAM,
  'client-typescript': OTHER_PROGRAM,
  'commands-as-root': OF_LINUX,
  'compat-limits': OF_LINUX,
  'connection-limits': OF_LINUX,
  doctor: NO_REFUSAL,
  'exit-codes': NO_REFUSAL,
  'fetch-url': NO_REFUSAL,
  'first-start': OF_LINUX,
  'full-disk': OF_LINUX,
  'http-fuzz': OF_LINUX,
  import: NO_REFUSAL,
  lifecycle: OF_LINUX,
  migrate: SEVERAL,
  'no-instance': OTHER_PROGRAM,
  'object-store': SEVERAL,
  'older-database': SEVERAL,
  push: NO_REFUSAL,
  'push-links': OF_LINUX,
  rebuild: OTHER_PROGRAM,
  'replace-beside-start': OTHER_PROGRAM,
  rights: OF_LINUX,
  secrets: NO_REFUSAL,
  'session-flood': OF_LINUX,
  'settings-warnings': 'a drive as a target on a machine without drives',
  'shared-commands': SEVERAL,
  'shared-restore': SEVERAL,
  shutdown: OF_LINUX,
  start: OTHER_PROGRAM,
  'unwritable-disk': OF_LINUX,
  web: OF_LINUX,
  'webhook-test': NO_REFUSAL,
}

/**
 * Files of test/acceptance that `npm run test:long` runs for Windows too, besides test/windows: a few that
 * use most of the service. `npm run test:windows` runs all.
 */
export const ON_WINDOWS: readonly string[] = [
  'backup-download',
  'compat-ids',
  'statistics',
  'token-routes',
  'trash',
]

/**
 * Files of test/acceptance that `npm run test:long -- --some` runs with two workers: those in which processes
 * interact.
 */
export const ON_TWO_WORKERS: readonly string[] = [
  'events',
  'retrievals',
  'serve',
  'session-lock',
  'settings',
  'token-limits',
  'token-races',
  'upload-headers',
]

/**
 * Files of test/acceptance that `npm test` runs on two instances too: a quarter of them, which cover most
 * differences between the engines, the stores, and one process or two, in the least processor time.
 */
export const ON_TWO_INSTANCES: readonly string[] = [
  'backup-download',
  'check',
  'cli-token',
  'compat-delete',
  'dash-content',
  'dash-file-history',
  'dash-library-listing',
  'dash-library-missing',
  'dash-library-move',
  'dash-library-order',
  'dash-library-present',
  'dash-library-search',
  'dash-upload-forms',
  'exists-delete',
  'history',
  'history-export',
  'jobs',
  'metrics',
  'paths',
  'serve',
  'serve-ranges',
  'settings',
  'settings-transfer',
  'settings-warnings',
  'shares',
  'shares-follow',
  'token-last-used',
  'token-races',
  'token-routes',
  'trash-limits',
  'webhook-test',
  'zip',
]

/** `test` by the reason for which it is left out in a run of another kind. */
function testsUnless<Reason extends string>(otherRun: boolean, reasons: Readonly<Record<Reason, string>>) {
  const run = otherRun ? test.skip : test
  return Object.fromEntries(Object.keys(reasons).map(reason => [reason, run])) as Record<Reason, typeof test>
}
