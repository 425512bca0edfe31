/** Builds the dashboard before the service starts, if it is missing or was built from other sources. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PickText } from '../../base/language.ts'
import { PROGRAM_FOLDER } from '../../base/program-files.ts'

const DASHBOARD_FOLDER = join(PROGRAM_FOLDER, 'dashboard')
/** The folder of the built dashboard. */
export const DASHBOARD_DIST_FOLDER = join(DASHBOARD_FOLDER, 'dist')
const BUILD_SCRIPT = join(DASHBOARD_FOLDER, 'scripts/build.ts')

/** Milliseconds after which a message says that the build is slow. It normally takes seconds. */
const SLOW_BUILD_TIME = 60_000
/**
 * Environment variables that limit the memory of the bundler: each of its threads takes memory, and its
 * allocator keeps memory that was freed.
 */
const LOW_MEMORY_ENVIRONMENT = {
  RAYON_NUM_THREADS: '1',
  TOKIO_WORKER_THREADS: '1',
  MIMALLOC_PURGE_DELAY: '0',
}

/**
 * The exit code of the build script if it has no write permission. The script has then already printed a
 * message about that.
 */
export const READ_ONLY_EXIT_CODE = 3

/**
 * Builds the dashboard in a separate process, so that the bundler's memory is freed afterwards and a failed
 * build does not prevent the start. The output of that process goes to standard error, because standard
 * output is the log. Does nothing if the build script is missing: a container image may contain only the
 * built pages.
 */
export async function buildDashboardIfNeeded(localize: PickText): Promise<void> {
  if (!existsSync(BUILD_SCRIPT)) return
  const child = Bun.spawn([process.execPath, BUILD_SCRIPT, '--if-needed'], {
    stdin: 'ignore',
    stdout: process.stderr.fd,
    stderr: process.stderr.fd,
    env: { ...process.env, ...LOW_MEMORY_ENVIRONMENT },
  } as const)
  const slowTimer = setTimeout(() => process.stderr.write(slowBuildText(localize)), SLOW_BUILD_TIME)
  const exitCode = await child.exited
  clearTimeout(slowTimer)
  if (exitCode === 0 || exitCode === READ_ONLY_EXIT_CODE) return
  process.stderr.write(
    existsSync(DASHBOARD_DIST_FOLDER)
      ? localize(
          'Die Seiten der Verwaltung ließen sich nicht neu bauen, und der Dienst startet mit den bisherigen. „npm ci“ bringt, was dafür nötig ist; bitte danach neu starten.\n',
          'The pages of the dashboard could not be built anew, and the service starts with the old ones. “npm ci” brings what that needs; please start again afterwards.\n',
        )
      : localize(
          'Die Seiten der Verwaltung ließen sich nicht bauen, und der Dienst startet ohne sie. „npm ci“ bringt, was dafür nötig ist; bitte danach neu starten.\n',
          'The pages of the dashboard could not be built, and the service starts without them. “npm ci” brings what that needs; please start again afterwards.\n',
        ),
  )
}

const slowBuildText = (localize: PickText) =>
  localize(
    'Das Bauen dauert ungewöhnlich lange. Meist fehlt Arbeitsspeicher: Gebraucht werden etwa 400 MB.\n',
    'The build takes unusually long. Usually memory is short: it needs about 400 MB.\n',
  )
