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
  'backup-places': 'archives in the data folder',
  'backup-refusals': 'restores into a data folder',
  'backup-restore': 'restores into a data folder',
  'backup-run': 'archives in the data folder',
  'backup-second': 'archives in the data folder',
  'broken-disk': 'objects in the data folder that are gone or unreadable',
  'dash-library-disk': 'objects follow renames, which those of an object store do not',
  rebuild: 'rebuilds from a data folder',
  'replace-beside-start': 'replaces the SQLite file beside a start',
  rights: 'rights of files in the data folder',
  upgrade: 'a data folder of an earlier version',
}

/** Files of test/acceptance that `npm test` runs on two instances as well: what is most likely to differ there. */
export const ON_TWO_INSTANCES: readonly string[] = [
  'auth',
  'cli-token',
  'compat-delete',
  'compat-ids',
  'compat-routes',
  'dash-content',
  'dash-file-history',
  'dash-library-folders',
  'dash-library-listing',
  'dash-library-move',
  'dash-library-order',
  'dash-library-search',
  'dash-library-together',
  'dash-upload',
  'error-codes',
  'exists-delete',
  'files-host',
  'history',
  'history-actions',
  'hostile-text',
  'jobs',
  'json-null',
  'limits',
  'paths',
  'serve',
  'serve-ranges',
  'session',
  'session-lock',
  'settings-processes',
  'settings-transfer',
  'shares',
  'shares-follow',
  'statistics',
  'token-input',
  'token-limits',
  'token-races',
  'trash-limits',
  'upload-bodies',
  'upload-headers',
  'webp',
  'zip',
]
