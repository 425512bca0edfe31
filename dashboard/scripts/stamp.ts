/**
 * Which sources a build was made of. The service compares it at every start, so that an update builds anew and a
 * restart does not; reading some two hundred small files takes a few milliseconds.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dir, '../..')
export const DASHBOARD = join(REPOSITORY, 'dashboard')
export const DIST = join(DASHBOARD, 'dist')
const STAMP_FILE = join(DIST, 'stamp')

/** All that a build reads; the lock file stands for the packages. */
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
    // The same on Windows, where a checkout may also have other line ends.
    hash.update(`${relative(REPOSITORY, path).replaceAll('\\', '/')}\0`)
    hash.update(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'))
  }
  return hash.digest('hex')
}

export const builtStamp = () => (existsSync(STAMP_FILE) ? readFileSync(STAMP_FILE, 'utf8') : null)

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return TEST_FILE.test(path) ? [] : [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesBelow(join(path, name)))
}
