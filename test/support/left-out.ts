/**
 * What `npm test` leaves to the commands that take longer, so that it takes only a few minutes on two cores.
 * It keeps the rules of every part and, in the browser, the everyday use of each page.
 */
import { test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Set by run/modes.ts for runs of everything that `npm test` does not leave out. A file that is named on the
 * command line runs completely.
 */
export const ORDINARY_VARIABLE = 'FUNDUS_TEST_ORDINARY'

export const isOrdinaryRun = process.env[ORDINARY_VARIABLE] !== undefined

/** A test in a file of `npm test` that is left to `npm run test:long`, which runs the whole file. */
export const leftToLong = (
  isOrdinaryRun ? Object.assign(() => {}, { each: () => () => {} }) : test
) as typeof test

/** The files with such tests, or with smaller numbers in `npm test`. */
export function filesLeftInPart(): string[] {
  const repository = resolve(import.meta.dir, '../..')
  const files = [...new Bun.Glob('{src,test}/**/*.test.ts').scanSync(repository)]
  return files.filter(file => /leftToLong|isOrdinaryRun/.test(readFileSync(join(repository, file), 'utf8')))
}

/**
 * Left to `npm run test:long`: large numbers, real waits, and the pages in every width, scheme and language.
 */
export const LEFT_TO_LONG: readonly string[] = [
  'test/acceptance/api-answers.test.ts',
  'test/acceptance/backup-places.test.ts',
  'test/acceptance/bundle.test.ts',
  'test/acceptance/dash-library-disk.test.ts',
  'test/acceptance/early-answers.test.ts',
  'test/acceptance/library-large.test.ts',
  'test/acceptance/lost-log.test.ts',
  'test/acceptance/picture-sizes-flood.test.ts',
  'test/acceptance/replace-beside-start.test.ts',
  'test/acceptance/second-factor-restore.test.ts',
  'test/acceptance/session-flood.test.ts',
  'test/browser/api-docs.test.ts',
  'test/browser/archives.test.ts',
  'test/browser/dialogs.test.ts',
  'test/browser/download.test.ts',
  'test/browser/duplicates.test.ts',
  'test/browser/english.test.ts',
  'test/browser/exif.test.ts',
  'test/browser/folders.test.ts',
  'test/browser/gallery-many.test.ts',
  'test/browser/gallery-place.test.ts',
  'test/browser/gallery-selection.test.ts',
  'test/browser/install.test.ts',
  'test/browser/maintenance.test.ts',
  'test/browser/missing.test.ts',
  'test/browser/nothing-in-the-way.test.ts',
  'test/browser/own-origin.test.ts',
  'test/browser/picture-sizes.test.ts',
  'test/browser/refresh.test.ts',
  'test/browser/replace.test.ts',
  'test/browser/session-end.test.ts',
  'test/browser/statistics.test.ts',
  'test/browser/stored-content.test.ts',
  'test/browser/twelve-tasks.test.ts',
  'test/browser/upload-waits.test.ts',
  'test/browser/uppy.test.ts',
  'test/browser/viewer-content.test.ts',
  'test/browser/viewer.test.ts',
  'test/source/expressions.test.ts',
  'test/source/records.test.ts',
  'test/support/remains.test.ts',
  'test/tools.test.ts',
]

/** Left to `npm run test:many`: PostgreSQL and the object store killed, hung and cut off. */
export const ENGINE_FAULTS: readonly string[] = [
  'src/database/postgres/postgres.test.ts',
  'src/storage/s3/s3.test.ts',
]

/**
 * Left to `npm run test:many`, which runs all of test/acceptance: tests of several instances in either mode.
 */
export const LEFT_TO_MANY: readonly string[] = [
  ...ENGINE_FAULTS,
  'test/acceptance/migrate.test.ts',
  'test/acceptance/object-store.test.ts',
  'test/acceptance/shared-restore.test.ts',
]
