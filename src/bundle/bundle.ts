/**
 * The program as a bundle: few files instead of some 850 sources and files of packages, which load in half the time and take less
 * memory. A bundle lies in a folder that is named by what it was made of, so a bundle older than its sources is never run.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const SOURCES = resolve(import.meta.dir, '..')
const REPOSITORY = resolve(SOURCES, '..')
export const BUNDLES = join(REPOSITORY, 'dist')
const MAKER = join(SOURCES, 'bundle/make.ts')

/** What npm has installed, as npm itself keeps it; absent from an archive of `npm run release`, which runs its sources. */
const INSTALLED = join(REPOSITORY, 'node_modules/.package-lock.json')

/** Where the bundle of these sources lies, or would lie; null where none is made. */
export function bundleFolder(): string | null {
  if (!existsSync(INSTALLED)) return null
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const hash = createHash('sha256')
  for (const name of names.filter(each => each.endsWith('.ts') && !each.endsWith('.test.ts')).sort())
    hash.update(`${name}\0`).update(readFileSync(join(SOURCES, name)))
  for (const path of [join(REPOSITORY, 'package.json'), INSTALLED]) hash.update(readFileSync(path))
  return join(BUNDLES, `${Bun.version}-${hash.digest('hex').slice(0, 16)}`)
}

/** The file of the bundle that was made of this source; null when there is none. */
export function bundledFile(name: string): string | null {
  const folder = bundleFolder()
  const file = folder && join(folder, name.replace(/\.ts$/, '.js'))
  return file && existsSync(file) ? file : null
}

/**
 * Makes the bundle of these sources unless it is there, in a process of its own, whose memory is free again afterwards. Where that
 * fails, such as in a folder that this user may not write to, the sources are run.
 */
export function makeWhenNeeded(): void {
  const folder = bundleFolder()
  if (folder && !existsSync(folder))
    Bun.spawnSync([process.execPath, MAKER], { stdio: ['ignore', 'ignore', 'ignore'] })
}
