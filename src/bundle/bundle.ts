/**
 * The program as a bundle: few files instead of some 850 sources and files of packages, which load in half the time and take less
 * memory. A bundle lies in a folder that is named by what it was made of, so a bundle older than its sources is never run.
 */
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ProcessLock } from '../storage/process-lock.ts'
import { IS_ARCHIVE, VERSION } from '../version.ts'

export const SOURCES = resolve(import.meta.dir, '..')
const REPOSITORY = resolve(SOURCES, '..')
export const BUNDLES = join(REPOSITORY, 'dist')
export const ENTRY = 'command-line.js'
/** A process that stays holds a shared lock on this file of its bundle. */
export const IN_USE = 'in-use'
const MAKER = join(SOURCES, 'bundle/make.ts')

/** What npm has installed, as npm itself keeps it; absent from an archive of `npm run release`. */
const INSTALLED = join(REPOSITORY, 'node_modules/.package-lock.json')

/** Where the bundle of these sources lies, or would lie; null where none is made, or where not all sources can be read. */
export function bundleFolder(): string | null {
  // An archive brings its bundle along, and nobody changes its sources.
  if (!existsSync(INSTALLED)) return IS_ARCHIVE ? join(BUNDLES, VERSION) : null
  try {
    return join(BUNDLES, `${Bun.version}-${hashOfSources()}`)
  } catch {
    // A file that went meanwhile, may not be read, or is an editor's mark (a link to nowhere).
    return null
  }
}

function hashOfSources(): string {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const hash = createHash('sha256')
  for (const name of names.filter(each => each.endsWith('.ts') && !each.endsWith('.test.ts')).sort())
    hash.update(`${name}\0`).update(readFileSync(join(SOURCES, name)))
  for (const path of [join(REPOSITORY, 'package.json'), INSTALLED]) hash.update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

/** Kept from the garbage collector, which would release them. */
const held: ProcessLock[] = []

/**
 * The entry of the bundle of these sources; null when there is none that this user may read. `stays`: the process runs
 * for long and loads the rest of the bundle later, so the bundle is kept from being removed.
 */
export async function openBundle({ stays }: { stays: boolean }): Promise<string | null> {
  const folder = bundleFolder()
  if (!folder) return null
  try {
    accessSync(join(folder, ENTRY), constants.R_OK)
  } catch {
    return null
  }
  if (stays) await holdInUse(join(folder, IN_USE))
  return join(folder, ENTRY)
}

/** Where the system has no locks, the bundle is run all the same. */
async function holdInUse(file: string): Promise<void> {
  const { shareLock } = await import('../storage/process-lock.ts')
  try {
    held.push(shareLock(file))
  } catch {}
}

export const isMade = (folder: string) => existsSync(join(folder, ENTRY))

/**
 * Makes the bundle of these sources unless it is there, in a process of its own, whose memory is free again afterwards.
 * Where that fails, such as in a folder that this user may not write to, the sources are run.
 */
export function makeWhenNeeded(): void {
  const folder = bundleFolder()
  if (folder && !isMade(folder))
    Bun.spawnSync([process.execPath, MAKER], { stdio: ['ignore', 'ignore', 'ignore'] })
}
