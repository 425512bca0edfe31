/** Before the service starts: the dashboard's pages, built when they are missing or older than their sources. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const DASHBOARD = resolve(import.meta.dir, '../../dashboard')
export const DIST = join(DASHBOARD, 'dist')
const SCRIPT = join(DASHBOARD, 'scripts/build.ts')

/**
 * In a process of its own: the bundler's memory goes with it, and its failure does not keep the service from starting.
 * What it says goes to standard error, since standard output is the log. An image may come built and without sources.
 */
export async function buildWhenNeeded(): Promise<void> {
  if (!existsSync(SCRIPT)) return
  const child = Bun.spawn([process.execPath, SCRIPT, '--if-needed'], {
    stdin: 'ignore',
    stdout: process.stderr.fd,
    stderr: process.stderr.fd,
  } as const)
  if ((await child.exited) === 0) return
  process.stderr.write(
    existsSync(DIST)
      ? 'Die Seiten der Verwaltung ließen sich nicht neu bauen; die bisherigen bleiben. Der Dienst startet trotzdem.\n'
      : 'Die Seiten der Verwaltung ließen sich nicht bauen. Der Dienst startet ohne sie.\n',
  )
}
