/**
 * A machine on which nobody has worked yet: a folder with git, Node, npm and a shell, and an empty home. As root on Linux the
 * commands see nothing but that folder (a mount namespace and chroot); elsewhere they run on this machine with an empty
 * environment and home, which is less: what they need may be there by chance.
 */
import { cp, mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openFolder, realDisk } from '../support/folder.ts'
import { type AtTerminal, startAtTerminal } from '../support/terminal.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')

/** What README.md asks for, and a shell to type it in. */
const PROGRAMS = ['sh', 'env', 'tail', 'git', 'node', 'curl']
/**
 * Libraries that a program or an npm package loads by itself, so that `ldd` does not name them; Debian's smallest
 * system has them.
 */
const LIBRARIES = [
  'libstdc++.so.6',
  'libgcc_s.so.1',
  'libdl.so.2',
  'libpthread.so.0',
  'libresolv.so.2',
  'librt.so.1',
]
const FILES = [
  '/etc/passwd',
  '/etc/hosts',
  '/etc/resolv.conf',
  '/etc/nsswitch.conf',
  '/etc/ssl/certs/ca-certificates.crt',
]
/** How this machine reaches the registry of npm; a stranger's machine has its own way. */
const NETWORK = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry']

export interface EmptyMachine extends AsyncDisposable {
  /** Whether the commands see nothing of this machine. */
  readonly isEmpty: boolean
  /** The folder of the clone, as this machine sees it. */
  readonly clone: string
  /** Types a line in the folder of the clone; ends with the line. */
  run(line: string, env?: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }>
  /** The same at a terminal, for what runs on. */
  start(line: string, env?: Record<string, string>): AtTerminal
}

export const mayMakeRoots = () =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  Bun.spawnSync(['unshare', '--mount', '--pid', '--fork', 'true']).exitCode === 0

export async function openEmptyMachine(): Promise<EmptyMachine> {
  const folder = await openFolder(realDisk())
  const isEmpty = mayMakeRoots()
  const root = isEmpty ? folder.path : ''
  const home = join(folder.path, 'home')
  await mkdir(home, { recursive: true })
  const cache = Bun.spawnSync(['npm', 'config', 'get', 'cache']).stdout.toString().trim()
  await mkdir(cache, { recursive: true })
  if (isEmpty) await furnish(root)
  await publish(join(folder.path, 'origin'))

  const inside = (path: string) => (isEmpty ? path.slice(root.length) : path)
  const base = {
    HOME: inside(home),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    npm_config_cache: isEmpty ? '/npm-cache' : cache,
    // Only what the cache lacks comes from the network.
    npm_config_prefer_offline: 'true',
    ...Object.fromEntries(NETWORK.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : []))),
  }
  const clone = join(home, 'fundus')
  const command = (line: string, env: Record<string, string>, at: string) => {
    const given = Object.entries({ ...base, ...env }).map(([name, value]) => `${name}=${value}`)
    const typed = ['env', '-i', ...given, 'sh', '-c', `cd ${inside(at)} && ${line}`]
    return isEmpty ? inRoot(root, cache, typed) : typed
  }
  async function run(line: string, env: Record<string, string> = {}, at = clone) {
    const child = Bun.spawn(command(line, env, at), { stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
    return { code: await child.exited, stdout, stderr }
  }
  const cloned = await run(`git clone --quiet ${inside(join(folder.path, 'origin'))} fundus`, {}, home)
  if (cloned.code !== 0) throw new Error(`git clone: ${cloned.stderr}`)
  return {
    isEmpty,
    clone,
    run,
    start: (line, env = {}) => startAtTerminal(command(line, env, clone), { cwd: '/', env: {} }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** Every process and every mount in it goes with the first process. */
const inRoot = (root: string, cache: string, typed: string[]) => [
  ...['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c'],
  [
    `mount --bind /dev ${root}/dev`,
    `mount -t proc proc ${root}/proc`,
    `mount --bind '${cache}' ${root}/npm-cache`,
    `exec chroot ${root} "$@"`,
  ].join(' && '),
  'sh',
  ...typed,
]

async function furnish(root: string): Promise<void> {
  for (const each of ['dev', 'proc', 'tmp', 'npm-cache', 'usr/bin', 'usr/share/git-core/templates'])
    await mkdir(join(root, each), { recursive: true })
  const bring = async (path: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await cp(await realpath(path), join(root, path), { recursive: true })
  }
  const npm = dirname(dirname(await realpath(Bun.which('npm')!)))
  const programs = PROGRAMS.map(name => Bun.which(name)!)
  const libraries = Bun.spawnSync([
    'ldd',
    ...(await Promise.all(programs.map(path => realpath(path)))),
  ]).stdout.toString()
  const more = Bun.spawnSync(['ldconfig', '-p']).stdout.toString()
  const paths = new Set([
    ...[...libraries.matchAll(/\/\S+\.so\S*/g)].map(([path]) => path),
    ...LIBRARIES.flatMap(
      name =>
        more
          .split('\n')
          .find(line => line.includes(name))
          ?.match(/\/\S+$/)?.[0] ?? [],
    ),
    ...FILES,
    ...(process.env.NODE_EXTRA_CA_CERTS ? [process.env.NODE_EXTRA_CA_CERTS] : []),
  ])
  for (const path of [...paths, npm]) await bring(path)
  for (const path of programs) await cp(await realpath(path), join(root, 'usr/bin', path.split('/').at(-1)!))
  // Git calls itself by this name for a clone.
  await cp(join(root, 'usr/bin/git'), join(root, 'usr/bin/git-upload-pack'))
  await mkdir(join(root, 'bin'), { recursive: true })
  await cp(join(root, 'usr/bin/sh'), join(root, 'bin/sh'))
  const start = `#!/usr/bin/env node\nrequire('${npm}/bin/npm-cli.js')\n`
  await writeFile(join(root, 'usr/bin/npm'), start, { mode: 0o755 })
}

/** The state of this checkout as a repository that can be cloned, with what is not committed yet. */
async function publish(origin: string): Promise<void> {
  const git = (args: string[], cwd: string) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], { cwd })
    if (exitCode !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
    return stdout.toString()
  }
  const names = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], REPOSITORY).split('\0')
  for (const name of names.filter(each => each !== '')) {
    if (!(await Bun.file(join(REPOSITORY, name)).exists())) continue
    await mkdir(dirname(join(origin, name)), { recursive: true })
    await cp(join(REPOSITORY, name), join(origin, name))
  }
  git(['init', '--quiet'], origin)
  git(['add', '--all'], origin)
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
  git([...author, 'commit', '--quiet', '--message', 'This checkout'], origin)
}
