/**
 * A fresh machine: a minimal Debian, made by debootstrap from this machine's mirror, with git, curl, Node and
 * npm. Commands in it see nothing else (mount namespace and chroot) and end with the process that started it.
 */
import { cp, mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openFolder, realDisk } from '../support/folder.ts'
import { type AtTerminal, startAtTerminal } from '../support/terminal.ts'
import { findTool, startTool } from '../support/tools.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** How this machine reaches Debian's mirror and the npm registry; a reader's machine has its own way. */
const NETWORK = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry']
const NOBODY = 65_534

export interface BareDebian extends AsyncDisposable {
  /** The folder of the clone, as seen from this machine. */
  readonly clone: string
  /** Runs a command line in the folder of the clone and waits for its end. */
  run(line: string, env?: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }>
  /** The same in a terminal, for commands that keep running. */
  start(line: string, env?: Record<string, string>): AtTerminal
  /** The same machine for a user other than root, with a home and a clone of their own. */
  withoutRoot(): Promise<Pick<BareDebian, 'clone' | 'run'>>
}

export const mayMakeRoots = () =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  Bun.spawnSync(['unshare', '--mount', '--pid', '--fork', 'true']).exitCode === 0

export const findDebootstrap = () =>
  findTool('debootstrap', () => (mayMakeRoots() ? Bun.which('debootstrap') : null))

/** Debian 13 has its own Node and npm; those of Debian 12 are too old, so it gets those of this machine. */
export const openBareDebian = (release: 'trixie' | 'bookworm') =>
  startTool('debootstrap', findDebootstrap, program => makeMachine(program, release))

async function makeMachine(debootstrap: string, release: 'trixie' | 'bookworm'): Promise<BareDebian> {
  const folder = await openFolder(realDisk())
  // Other tests of this process may have changed the umask; on a fresh machine it is the default.
  const umask = process.umask(0o022)
  try {
    const root = join(folder.path, 'root')
    await command([debootstrap, '--variant=minbase', release, root, ...mirror()])
    const cache = (await command(['npm', 'config', 'get', 'cache'])).trim().split('\n').at(-1)!
    await mkdir(cache, { recursive: true })
    await mkdir(join(root, 'npm-cache'))
    for (const file of ['/etc/resolv.conf', '/etc/hosts']) await cp(file, join(root, file))
    // Faster without flushes; nothing of this machine has to survive a power cut.
    await writeFile(join(root, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n')
    const machine = furnished(root, cache, () => folder[Symbol.asyncDispose]())
    const own = release === 'trixie' ? ['nodejs', 'npm'] : []
    const install = [
      'apt-get',
      'install',
      '--yes',
      '--no-install-recommends',
      'git',
      'curl',
      'ca-certificates',
      ...own,
    ]
    await machine.type(`apt-get update && DEBIAN_FRONTEND=noninteractive ${install.join(' ')}`, '/')
    if (own.length === 0) await bringNode(root)
    // A TLS-inspecting proxy in front of the registry may need its certificate.
    await cp(await realpath(CERTIFICATES), join(root, CERTIFICATES))
    await publish(join(root, 'origin'))
    // The repository belongs to root; other users clone it too.
    await writeFile(join(root, 'etc/gitconfig'), '[safe]\n  directory = *\n')
    return await machine.open(0, '/root')
  } catch (error) {
    await folder[Symbol.asyncDispose]()
    throw error
  } finally {
    process.umask(umask)
  }
}

/** Runs command lines in this root, and opens machines for its users. */
function furnished(root: string, cache: string, dispose: () => PromiseLike<void>) {
  const network = Object.fromEntries(
    NETWORK.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])),
  )

  function inRoot(line: string, at: string, { user = 0, home = '/root', env = {} }: Typed): string[] {
    const given = {
      ...{ HOME: home, PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...network },
      // Only what the cache lacks comes from the network.
      ...(user === 0 && { npm_config_cache: '/npm-cache', npm_config_prefer_offline: 'true' }),
      ...env,
    }
    const assignments = Object.entries(given).map(([name, value]) => `${name}=${value}`)
    const mounts = [
      `mount --rbind /dev ${root}/dev`,
      `mount -t proc proc ${root}/proc`,
      `mount --bind /sys ${root}/sys`,
      `mount --bind '${cache}' ${root}/npm-cache`,
      `exec chroot --userspec=${user}:${user} ${root} "$@"`,
    ]
    return [
      ...['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounts.join(' && '), 'sh'],
      ...['env', '-i', ...assignments, 'sh', '-c', `cd ${at} && ${line}`],
    ]
  }

  async function open(user: number, home: string): Promise<BareDebian> {
    const at = `${home}/fundus`
    const run: BareDebian['run'] = (line, env) => output(inRoot(line, at, { user, home, env }))
    await command(inRoot('git clone --quiet /origin fundus', home, { user, home }))
    return {
      clone: join(root, at),
      run,
      start: (line, env) => startAtTerminal(inRoot(line, at, { user, home, env }), { cwd: '/', env: {} }),
      async withoutRoot() {
        await command([
          'install',
          '-d',
          '-o',
          String(NOBODY),
          '-g',
          String(NOBODY),
          join(root, 'home/nobody'),
        ])
        return open(NOBODY, '/home/nobody')
      },
      [Symbol.asyncDispose]: dispose,
    }
  }
  return { open, type: (line: string, at: string) => command(inRoot(line, at, {})) }
}

interface Typed {
  user?: number
  home?: string
  env?: Record<string, string> | undefined
}

async function output(typed: string[]) {
  const child = Bun.spawn(typed, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

/** Rejects if the command fails. */
async function command(typed: string[]): Promise<string> {
  const { code, stdout, stderr } = await output(typed)
  if (code !== 0) throw new Error(`${typed.join(' ')} ended with ${code}: ${(stderr + stdout).slice(-1500)}`)
  return stdout
}

/** The mirror of this machine's own packages, if it is a Debian; otherwise debootstrap's default. */
function mirror(): string[] {
  if (Bun.which('apt-get') === null) return []
  const asked = [
    'apt-get',
    'indextargets',
    '--format',
    '$(REPO_URI)',
    'Created-By: Packages',
    'Label: Debian',
  ]
  return Bun.spawnSync(asked).stdout.toString().split('\n').filter(Boolean).slice(0, 1)
}

async function bringNode(root: string): Promise<void> {
  const npm = dirname(dirname(await realpath(Bun.which('npm')!)))
  await cp(await realpath(Bun.which('node')!), join(root, 'usr/local/bin/node'))
  await cp(npm, join(root, 'usr/local/lib/npm'), { recursive: true, verbatimSymlinks: true })
  const start = `#!/usr/local/bin/node\nrequire('/usr/local/lib/npm/bin/npm-cli.js')\n`
  await writeFile(join(root, 'usr/local/bin/npm'), start, { mode: 0o755 })
}

/** The state of this checkout as a repository that can be cloned, uncommitted changes included. */
async function publish(origin: string): Promise<void> {
  const git = (args: string[], cwd: string) => command(['git', '-C', cwd, ...args])
  const names = (
    await git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], REPOSITORY)
  ).split('\0')
  for (const name of names.filter(each => each !== '')) {
    if (!(await Bun.file(join(REPOSITORY, name)).exists())) continue
    await mkdir(dirname(join(origin, name)), { recursive: true })
    await cp(join(REPOSITORY, name), join(origin, name))
  }
  await git(['init', '--quiet'], origin)
  await git(['add', '--all'], origin)
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
  await git([...author, 'commit', '--quiet', '--message', 'This checkout'], origin)
}
