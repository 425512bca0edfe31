/**
 * The two ways in which the service runs, as the tests start it: embedded (SQLite and a folder, one process), or shared
 * (PostgreSQL, an object store, two instances between which connections alternate).
 */
import { test } from 'bun:test'

/** `shared`: `startService` starts two instances on PostgreSQL and an object store. */
export const MODE_VARIABLE = 'FUNDUS_TEST_MODE'

export const isShared = () => process.env[MODE_VARIABLE] === 'shared'

/** Why a test cannot be run on two instances; used as `embeddedOnly.folder('name of the test', …)`. */
const EMBEDDED_ONLY = {
  /** Finds or damages files of the store in the data folder, where the other mode has only staging and a cache. */
  folder: 'looks into the data folder',
  /** Opens the SQLite file past the service. */
  sqlite: 'opens the SQLite file',
  /** Counts what one process does, or what it keeps in memory. */
  oneProcess: 'is about one process',
  /** Expects the defaults of PUBLIC_URL or SICHERUNG_ZIEL, which the other mode does not have. */
  defaults: 'expects a default that only the embedded mode has',
} as const

export const embeddedOnly = Object.fromEntries(
  Object.keys(EMBEDDED_ONLY).map(reason => [reason, isShared() ? test.skip : test]),
) as Record<keyof typeof EMBEDDED_ONLY, typeof test>

/** Files of test/acceptance that only the embedded mode can pass, and why. */
export const EMBEDDED_FILES: Readonly<Record<string, string>> = {
  'dash-library-disk': 'objects follow renames, which those of an object store do not',
  rebuild: 'rebuilds from a data folder',
  'replace-beside-start': 'replaces the SQLite file beside a start',
  rights: 'rights of files in the data folder',
  upgrade: 'a data folder of an earlier version',
}

/**
 * Files of test/acceptance that `npm test` runs on two instances as well: a third of them, those that show most of what
 * differs between the engines, the stores, and one process or two, for the least processor time.
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
  'error-codes',
  'exists-delete',
  'files-host',
  'history',
  'history-actions',
  'history-export',
  'jobs',
  'json-null',
  'metrics',
  'paths',
  'request-id',
  'sentence-codes',
  'serve',
  'serve-ranges',
  'settings',
  'settings-transfer',
  'settings-warnings',
  'shares',
  'shares-follow',
  'statistics',
  'token-last-used',
  'token-races',
  'token-routes',
  'trash-limits',
  'webhook-test',
  'zip',
]
