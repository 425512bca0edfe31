/**
 * Which npm packages an archive contains and where their bytes come from: package-lock.json names version,
 * licence and checksum of each, also of those for other platforms, and `npm pack` fetches them from wherever
 * npm fetches on this machine.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { extract } from 'tar-stream'
import type { Entry } from './archives.ts'

export const REPOSITORY = resolve(import.meta.dir, '..')
const CACHE = join(REPOSITORY, 'node_modules/.cache/fundus-release')

/** Packages that hold types alone; nothing loads them. */
const TYPES = /^@types\//

/** As npm names them in `os`, `cpu` and `libc` of a package. */
export interface Platform {
  os: 'linux' | 'win32'
  cpu: 'x64' | 'arm64'
  libc: 'glibc' | 'musl' | null
}

export const PLATFORMS: Readonly<Record<string, Platform>> = {
  'linux-x64-glibc': { os: 'linux', cpu: 'x64', libc: 'glibc' },
  'linux-x64-musl': { os: 'linux', cpu: 'x64', libc: 'musl' },
  'linux-arm64-glibc': { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  'linux-arm64-musl': { os: 'linux', cpu: 'arm64', libc: 'musl' },
  'windows-x64': { os: 'win32', cpu: 'x64', libc: null },
  'windows-arm64': { os: 'win32', cpu: 'arm64', libc: null },
}

interface Locked {
  version: string
  integrity: string
  license?: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
/** By the place of the package, for instance `node_modules/a/node_modules/b`. */
export type Lock = Readonly<Record<string, Locked>>

export interface Package extends Pick<Locked, 'version' | 'integrity' | 'license'> {
  name: string
  /** Where it lies, as in the lock. */
  path: string
  /** The places of the packages that it needs, as in the lock. */
  needs: string[]
}

export async function readLock(): Promise<Lock> {
  const { packages } = (await Bun.file(join(REPOSITORY, 'package-lock.json')).json()) as { packages: Lock }
  const entries = Object.entries(packages).map(async ([path, locked]) => [
    path,
    locked.license === undefined ? { ...locked, ...(await olderLicence(path)) } : locked,
  ])
  return Object.fromEntries(await Promise.all(entries))
}

/**
 * npm does not bring the licence into the lock where a package names it in the form of 2011, as `licenses: [{
 * type }]`.
 */
async function olderLicence(path: string): Promise<Pick<Locked, 'license'>> {
  const file = Bun.file(join(REPOSITORY, path, 'package.json'))
  const licence = (await file.exists()) ? (await file.json()).licenses?.[0]?.type : undefined
  return licence === undefined ? {} : { license: licence }
}

/** The packages that these names need on this platform, themselves included, in the order of their places. */
export function packagesFor(lock: Lock, names: readonly string[], platform: Platform): Package[] {
  const found = new Map<string, Package>()
  const visit = (name: string, from: string): void => {
    const path = placeOf(lock, name, from)
    const locked = path === null ? undefined : lock[path]
    // An optional package may be absent; npm would have refused the absence of any other.
    if (path === null || !locked || found.has(path) || !fits(locked, platform) || TYPES.test(name)) return
    const { version, integrity, license, dependencies, optionalDependencies } = locked
    const needed = Object.keys({ ...dependencies, ...optionalDependencies })
    const needs = needed.flatMap(each => placeOf(lock, each, path) ?? [])
    found.set(path, { name, path, version, integrity, needs, ...(license && { license }) })
    for (const each of needed) visit(each, path)
  }
  for (const name of names) {
    if (placeOf(lock, name, '') === null) throw new Error(`package-lock.json does not know ${name}.`)
    visit(name, '')
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A package is looked for beside those that lie in the asking one, then one level further out, and so on. */
function placeOf(lock: Lock, name: string, from: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (path in lock) return path
    if (at === '') return null
  }
}

const fits = ({ os, cpu, libc }: Locked, platform: Platform) =>
  (os?.includes(platform.os) ?? true) &&
  (cpu?.includes(platform.cpu) ?? true) &&
  (platform.libc === null || (libc?.includes(platform.libc) ?? true))

/**
 * The files of each package, out of the cache or fetched, checked against the lock; names begin with the
 * package's place.
 */
export async function filesOf(packages: readonly Package[]): Promise<Entry[]> {
  await mkdir(CACHE, { recursive: true })
  const missing = packages.filter(each => !existsSync(packedFile(each)))
  if (missing.length > 0) npmPack(missing.map(({ name, version }) => `${name}@${version}`))
  return (await Promise.all(packages.map(unpack))).flat()
}

/** The name that `npm pack` gives to a package. */
const packedFile = ({ name, version }: Package) =>
  join(CACHE, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)

function npmPack(specifications: string[]): void {
  const command = ['npm', 'pack', '--silent', '--prefer-offline', '--pack-destination', CACHE]
  const { exitCode, stderr } = Bun.spawnSync([...command, ...specifications])
  if (exitCode !== 0) throw new Error(`npm pack could not fetch ${specifications.join(' ')}:\n${stderr}`)
}

async function unpack(wanted: Package): Promise<Entry[]> {
  const packed = await Bun.file(packedFile(wanted)).bytes()
  const integrity = `sha512-${new Bun.CryptoHasher('sha512').update(packed).digest('base64')}`
  if (integrity !== wanted.integrity)
    throw new Error(
      `${packedFile(wanted)} is not what package-lock.json names; remove the file and try again.`,
    )
  const reading = extract()
  reading.end(Bun.gunzipSync(packed))
  const entries: Entry[] = []
  for await (const entry of reading) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    if (entry.header.type !== 'file') continue
    // The first folder has another name in some packages.
    const name = entry.header.name.slice(entry.header.name.indexOf('/') + 1)
    const executable = ((entry.header.mode ?? 0) & 0o100) !== 0
    entries.push({ name: `${wanted.path}/${name}`, bytes: Buffer.concat(parts), executable })
  }
  return entries
}
