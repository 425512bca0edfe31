/**
 * `npm run release`: one archive per platform with everything that runs Fundus, so that a machine needs
 * neither Node nor npm; beside each archive a list of what it is made of (CycloneDX), the resource for game
 * servers, and SHA256SUMS over all of them.
 *   npm run release -- --only linux-arm64-glibc     one platform
 *   npm run release -- --out folder                 somewhere else than ./release/out
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from '../package.json'
import { tarGz, zip } from './archives.ts'
import { contentsOf, dashboardFiles, gameResource, importedPackages, sourceFiles } from './contents.ts'
import { bundledLicences, compiledLicences } from './licenses.ts'
import { imageParts, RUNTIME_PARTS } from './native-parts.ts'
import { type Lock, PLATFORMS, packagesFor, REPOSITORY, readLock } from './packages.ts'
import { sbomOf } from './sbom.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, out: { type: 'string' } } })
const names = values.only === undefined ? Object.keys(PLATFORMS) : [values.only]
if (names.some(name => !(name in PLATFORMS))) {
  console.error(`There is no platform ${values.only}; there are ${Object.keys(PLATFORMS).join(', ')}.`)
  process.exit(2)
}
const out = resolve(values.out ?? join(REPOSITORY, 'release/out'))

build()
const lock = await readLock()
await mkdir(out, { recursive: true })
const sums: string[] = []
for (const name of names) for (const file of await release(name, lock)) sums.push(file)
sums.push(await write(`fundus-fivem-${manifest.version}.zip`, zip(await gameResource())))
await writeFile(join(out, 'SHA256SUMS'), sums.join(''))

/** Writes the archive of a platform and the list of its parts; answers their lines for SHA256SUMS. */
async function release(name: string, lock: Lock): Promise<string[]> {
  const platform = PLATFORMS[name]!
  const installed = packagesFor(lock, await importedPackages(sourceFiles()), platform)
  const bundled = packagesFor(lock, await importedPackages(dashboardFiles()), platform)
  const runtime = packagesFor(lock, ['bun'], platform).find(each => each.name.startsWith('@oven/'))
  if (!runtime) throw new Error(`There is no runtime for ${name} in package-lock.json.`)
  const folder = `fundus-${manifest.version}-${name}`
  const library = installed.find(each => /^@img\/sharp-(?:libvips|win32)-/.test(each.name))
  if (!library) throw new Error(`There is no image library for ${name} in package-lock.json.`)
  const native = { runtime, runtimeParts: RUNTIME_PARTS, library, libraryParts: await imageParts(library) }
  const sbom = Buffer.from(
    sbomOf({ ...native, version: manifest.version, committedAt: committedAt(), installed, bundled }),
  )
  const licences = [...(await compiledLicences(native)), await bundledLicences(bundled)]
  const contents = await contentsOf({ platform, runtime, installed, licences })
  const entries = contents.map(entry => ({ ...entry, name: `${folder}/${entry.name}` }))
  const windows = platform.os === 'win32'
  return [
    await write(`${folder}.${windows ? 'zip' : 'tar.gz'}`, windows ? zip(entries) : await tarGz(entries)),
    await write(`${folder}.cdx.json`, sbom),
  ]
}

async function write(name: string, bytes: Uint8Array): Promise<string> {
  await writeFile(join(out, name), bytes)
  console.info(`${name}  ${(bytes.length / 2 ** 20).toFixed(1)} MB`)
  return `${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}  ${name}\n`
}

/** Without the repository's history, such as from an archive of the sources, the present time. */
function committedAt(): string {
  const { stdout } = Bun.spawnSync(['git', 'log', '-1', '--format=%cI'], {
    cwd: REPOSITORY,
    stderr: 'ignore',
  })
  return stdout.toString().trim() || new Date().toISOString()
}

function build(): void {
  for (const command of [['dashboard/scripts/build.ts', '--if-needed'], ['src/program/bundle/make.ts']]) {
    const { exitCode } = Bun.spawnSync([process.execPath, ...command], {
      cwd: REPOSITORY,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (exitCode !== 0) process.exit(exitCode)
  }
}
