/**
 * The archives of `npm run release`: the one for this machine is unpacked into an empty root, without Node,
 * npm or another runtime, and used there like a new user would; the one for musl is built and inspected; the
 * one for Windows is tested by test/windows.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { mayMakeRoots } from '../fresh/bare-debian.ts'
import { bytesOf, read, store } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { MARK } from '../support/checkout.ts'
import { ADMIN, dash, sessionOf } from '../support/dashboard.ts'
import { openFolder, realDisk } from '../support/folder.ts'
import { png } from '../support/pictures.ts'
import { freePort } from '../support/ports.ts'
import { componentList, componentsOf, nameOf, packagesOf, sbomOf, version } from '../support/release.ts'
import type { Service } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(600_000)

const REPOSITORY = resolve(import.meta.dir, '../..')
const START_DEADLINE = 120_000
const CPU = process.arch
const GLIBC = `linux-${CPU}-glibc`
const MUSL = `linux-${CPU}-musl`

const ADDRESS = () => ({ PORT: String(freePort()), HOST: '127.0.0.1', LANG: 'C.UTF-8' })

let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  folder = await openFolder(realDisk())
})
afterAll(() => folder[Symbol.asyncDispose]())

/** Builds the release for one platform in a folder of its own and unpacks it there; returns that folder. */
async function released(platform: string): Promise<{ out: string; program: string }> {
  const out = join(folder.path, platform)
  const child = Bun.spawn([process.execPath, 'release/release.ts', '--only', platform, '--out', out], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ code, stderr }).toEqual({ code: 0, stderr })
  expect(Bun.spawnSync(['tar', 'xzf', `${nameOf(platform)}.tar.gz`], { cwd: out }).exitCode).toBe(0)
  return { out, program: join(out, nameOf(platform)) }
}

describe.if(process.platform === 'linux')('the archive of this platform', () => {
  let out: string
  let program: string
  /** A chunk of an earlier bundle, which a service running from this checkout may still load. */
  const earlier = 'dist/chunk-earlier.js'
  beforeAll(async () => {
    await Bun.write(join(REPOSITORY, earlier), '')
    ;({ out, program } = await released(GLIBC))
  })
  afterAll(() => rm(join(REPOSITORY, earlier), { force: true }))

  test('started in an empty root without Node: set up, a picture uploaded, its preview and WebP fetched, stopped', async () => {
    const root = join(folder.path, 'root')
    const isEmpty = mayMakeRoots()
    if (isEmpty) await furnish(root, program)
    else
      console.warn(
        'NOT IN AN EMPTY ROOT: no right to make one here. The archive runs on this machine with an empty environment, which shows less.',
      )
    const place = isEmpty ? '' : folder.path
    const env = { ...ADDRESS(), DATA_DIR: `${place}/data` }
    const inside = (...args: string[]) =>
      isEmpty ? inRoot(root, ['/fundus/fundus', ...args]) : [join(program, 'fundus'), ...args]
    const code = await asNewUser(inside('start'), env)
    expect(code).toBe(0)
    const asked = Bun.spawnSync(inside('--version'), { cwd: '/', env })
    expect(asked.stdout.toString()).toBe(`${version}\n`)
  })

  test('called through a link from another folder', async () => {
    const link = join(folder.path, 'link')
    Bun.spawnSync(['ln', '-s', join(program, 'fundus'), link])
    const { stdout } = Bun.spawnSync([link, '--version'], { cwd: '/', env: { PATH: '/usr/bin:/bin' } })
    expect(stdout.toString()).toBe(`${version}\n`)
  })

  test('doctor advises commands of the archive, and none of npm', async () => {
    const env = { ...ADDRESS(), DATA_DIR: join(folder.path, 'unbegun'), LANG: 'de_DE.UTF-8' }
    const asked = Bun.spawnSync([join(program, 'fundus'), 'doctor'], { cwd: '/', env })
    const told = asked.stdout.toString()
    expect([asked.exitCode, told]).toEqual([0, expect.stringContaining('„fundus start“ legt ihn an')])
    expect(told).not.toMatch(/npm|Node/)
    await rename(join(program, 'dashboard/dist'), join(program, 'dashboard/away'))
    const without = Bun.spawnSync([join(program, 'fundus'), 'doctor'], { cwd: '/', env })
    await rename(join(program, 'dashboard/away'), join(program, 'dashboard/dist'))
    expect(without.stdout.toString()).toContain('FEHLER   Verwaltung Ihre Seiten fehlen in diesem Ordner')
  })

  test('the resource for game servers is a folder that a server unpacks as it is', () => {
    const { stdout } = Bun.spawnSync(['unzip', '-Z1', `fundus-fivem-${version}.zip`], { cwd: out })
    const files = ['LICENSE', 'README.md', 'client.lua', 'fundus.lua', 'fxmanifest.lua', 'server.lua']
    expect(stdout.toString().trim().split('\n').sort()).toEqual(files.map(file => `fundus/${file}`))
  })

  test('SHA256SUMS fits, and no longer after one byte more', async () => {
    const check = () =>
      Bun.spawnSync(['sha256sum', '--check', '--quiet', 'SHA256SUMS'], { cwd: out }).exitCode
    expect(check()).toBe(0)
    const list = Bun.file(join(out, `${nameOf(GLIBC)}.cdx.json`))
    const text = await list.text()
    await list.write(`${text} `)
    expect(check()).toBe(1)
    await list.write(text)
  })

  test('the SBOM names every package that is in the archive, with its licence, and the runtime', async () => {
    const components = await componentsOf(out, GLIBC)
    const there = await packagesOf(program)
    expect(there.length).toBeGreaterThan(20)
    expect(componentList(components)).toEqual(there)
    expect(componentList(components.filter(({ name }) => name !== 'sharp'))).not.toEqual(there)
    expect(
      components.filter(each => !each.licenses?.[0]?.expression || !each.purl.startsWith('pkg:npm/')),
    ).toEqual([])
    const runtime = components.find(each => each.properties[0]?.value === 'runtime')
    const { stdout } = Bun.spawnSync([join(program, 'runtime/bun'), '--version'])
    expect(stdout.toString().trim()).toBe(runtime!.version)
    expect(components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['react', 'sharp', '@mantine/core']),
    )
  })

  test('the SBOM has a serial number, the time of the commit and a graph whose every end is a component', async () => {
    const { serialNumber, metadata, components, dependencies } = await sbomOf(out, GLIBC)
    expect(serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(Date.parse(metadata.timestamp)).toBeLessThanOrEqual(Date.now())
    const refs = new Set([metadata.component['bom-ref'], ...components.map(each => each['bom-ref'])])
    expect(
      dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter(ref => !refs.has(ref)),
    ).toEqual([])
    // Every package must be reachable from the application.
    const reached = new Set<string>(['fundus'])
    for (const ref of reached)
      for (const next of dependencies.find(each => each.ref === ref)?.dependsOn ?? []) reached.add(next)
    expect([...refs].filter(ref => !reached.has(ref))).toEqual([])
  })

  test('the licences of the runtime and of all native parts are in the archive', async () => {
    const { components } = await sbomOf(out, GLIBC)
    const native = components.flatMap(({ components: parts = [] }) => parts)
    expect(native.length).toBeGreaterThan(50)
    const list = await readFile(join(program, 'licenses/README.txt'), 'utf8')
    for (const { name, licenses } of native) {
      expect(list).toContain(`  ${name}`)
      const expression = licenses![0]!.expression.replace(/ WITH \S+/g, '')
      for (const id of expression.split(/ (?:AND|OR) /)) {
        const text = await readFile(join(program, `licenses/${id}.txt`), 'utf8')
        expect(text.length).toBeGreaterThan(300)
      }
    }
  })

  test('every link in its documents leads somewhere', async () => {
    const broken: string[] = []
    for (const file of await readdir(program, { recursive: true })) {
      if (!file.endsWith('.md') || file.startsWith('node_modules/')) continue
      const text = await readFile(join(program, file), 'utf8')
      for (const [, link] of text.matchAll(/\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)/g))
        if (!existsSync(join(program, dirname(file), link!))) broken.push(`${file}: ${link}`)
    }
    expect(broken).toEqual([])
  })

  test('it runs out of the bundle that it brings along', async () => {
    const bundle = join(program, 'dist/command-line.js')
    const text = await readFile(bundle, 'utf8')
    await Bun.write(bundle, `${text}\nconsole.log('${MARK}')\n`)
    const { stdout } = Bun.spawnSync([join(program, 'fundus'), '--version'], { cwd: '/' })
    await Bun.write(bundle, text)
    expect(stdout.toString()).toContain(MARK)
  })

  test('files of earlier bundles are not in it, and stay where they are', () => {
    expect([program, REPOSITORY].map(folder => existsSync(join(folder, earlier)))).toEqual([false, true])
  })

  test('nothing that only builds or tests is shipped, and the systemd unit names the command of the archive', async () => {
    const files = await readdir(program, { recursive: true })
    const unwanted =
      /^node_modules\/(?:vite|react|typescript|playwright-core)\/|\/(?:test|bench)\/|^src\/.*testing|\.test\.ts$/
    expect(files.filter(file => unwanted.test(file))).toEqual([])
    const unit = await readFile(join(program, 'deploy/fundus.service'), 'utf8')
    expect(unit).toContain('\nExecStart=/opt/fundus/fundus start\n')
    expect(unit).not.toContain('npm')
  })
})

test('the archive for musl: its runtime and sharp are those for musl', async () => {
  const { out, program } = await released(MUSL)
  const names = (await componentsOf(out, MUSL)).map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([`@img/sharp-linuxmusl-${CPU}`, `@img/sharp-libvips-linuxmusl-${CPU}`]),
  )
  expect(names).not.toContain(`@img/sharp-linux-${CPU}`)
  const head = Buffer.from(await Bun.file(join(program, 'runtime/bun')).slice(0, 65_536).arrayBuffer())
  const loader = /\/lib\/ld-musl-\w+\.so\.1/.exec(head.toString('latin1'))?.[0]
  expect(loader).toBeDefined()
  if (!(await Bun.file(loader!).exists()))
    return console.warn(`NOT STARTED: the archive for musl, because this machine has no ${loader}.`)
  expect(Bun.spawnSync([join(program, 'fundus'), '--version']).stdout.toString()).toBe(`${version}\n`)
})

test('a platform that there is not is refused with a sentence', () => {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'release/release.ts', '--only', 'amiga'], {
    cwd: REPOSITORY,
  })
  expect([exitCode, stderr.toString()]).toEqual([
    2,
    expect.stringContaining('There is no platform amiga; there are linux-x64-glibc'),
  ])
})

/**
 * Starts the service, sets it up, uploads a picture, fetches its preview and WebP, and stops it; returns the
 * exit code.
 */
async function asNewUser(command: string[], env: Record<string, string>): Promise<number> {
  const child = Bun.spawn(command, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const part of stream) log += Buffer.from(part).toString()
  }
  const drained = Promise.all([collect(child.stdout), collect(child.stderr)])
  try {
    const isThere = () => log.includes('"listening"') || child.exitCode !== null
    await eventually('the service listens', isThere, START_DEADLINE)
    const service = { url: `http://127.0.0.1:${env.PORT}` } as Service
    const code = /Einrichtungscode: ([\w-]+)/.exec(log)?.[1]
    expect({ code, log }).toEqual({ code: expect.any(String), log })
    const session = sessionOf(await dash(service, 'einrichtung', { json: { code, ...ADMIN } }))
    const made = await dash(service, 'tokens', { json: { name: 'Spielserver' }, session })
    const { token } = (await made.json()) as { token: string }

    const picture = await png({ width: 300, height: 200 })
    await store(service, token, 'bilder/erstes.png', picture)
    expect(sha256(await bytesOf(await read(service, 'bilder/erstes.png')))).toBe(sha256(picture))
    await eventually('the WebP variant', async () => {
      const webp = await read(service, 'bilder/erstes.png', { Accept: 'image/webp' })
      return webp.status === 200 && webp.headers.get('content-type') === 'image/webp'
    })
    await eventually('a preview', async () => (await fetch(`${service.url}/t/bilder/erstes.png.webp`)).ok)
    expect(await (await fetch(service.url)).text()).toContain('<script')
    child.kill('SIGTERM')
    return await child.exited
  } finally {
    child.kill('SIGKILL')
    await child.exited
    await Promise.race([drained, Bun.sleep(1000)])
  }
}

/** Adds the archive, a shell for its command, and the C library for the loader. */
async function furnish(root: string, program: string): Promise<void> {
  for (const each of ['dev', 'proc', 'tmp', 'bin']) await mkdir(join(root, each), { recursive: true })
  await cp(program, join(root, 'fundus'), { recursive: true })
  const shell = await realpath('/bin/sh')
  await cp(shell, join(root, 'bin/sh'))
  const libraries = (await readdir(program, { recursive: true })).filter(file =>
    /\.node$|\.so[.\d]*$/.test(file),
  )
  const loaded = [shell, join(program, 'runtime/bun'), ...libraries.map(file => join(program, file))]
  const { stdout } = Bun.spawnSync(['ldd', ...loaded])
  const needed = new Set(
    [...stdout.toString().matchAll(/(?:=> |^\s+)(\/\S+\.so\S*) \(/gm)].map(([, path = '']) => path),
  )
  for (const path of [...needed].filter(each => !each.startsWith(program))) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await cp(await realpath(path), join(root, path))
  }
}

/**
 * Each program replaces the previous one (exec), so that a signal to this process reaches Fundus. The mounts
 * end with the process.
 */
const inRoot = (root: string, command: string[]) => [
  ...['unshare', '--mount', 'sh', '-c'],
  `mount --bind /dev ${root}/dev && mount -t proc proc ${root}/proc && exec chroot ${root} "$@"`,
  'sh',
  ...command,
]
