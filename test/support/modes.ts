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
} as const

export const embeddedOnly = Object.fromEntries(
  Object.keys(EMBEDDED_ONLY).map(reason => [reason, isShared() ? test.skip : test]),
) as Record<keyof typeof EMBEDDED_ONLY, typeof test>
