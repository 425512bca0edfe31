/**
 * The stamp of a build: a hash of its sources. When the service starts, the stamp is compared with the
 * sources, so that the pages are built again after an update but not after a restart. Reading the few hundred
 * small files takes milliseconds.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dir, '../..')
export const DASHBOARD_FOLDER = join(REPOSITORY, 'dashboard')
export const DIST = join(DASHBOARD_FOLDER, 'dist')
const STAMP_FILE = join(DIST, 'stamp')

/** Everything that a build reads; the lock file stands in for the packages. */
const SOURCES = [
  'dashboard/src',
  'dashboard/public',
  'dashboard/index.html',
  'dashboard/entrance.html',
  'dashboard/vite.config.ts',
  'src/contract',
  'package-lock.json',
]
const TEST_FILE = /\.test\.tsx?$/

export function sourceStamp(): string {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap(source => filesBelow(join(REPOSITORY, source)))) {
    // Separators and line ends are normalised, so that a checkout on Windows has the same stamp.
    hash.update(`${relative(REPOSITORY, path).replaceAll('\\', '/')}\0`)
    hash.update(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'))
  }
  return hash.digest('hex')
}

export const distStamp = () => (existsSync(STAMP_FILE) ? readFileSync(STAMP_FILE, 'utf8') : null)

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return TEST_FILE.test(path) ? [] : [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesBelow(join(path, name)))
}
