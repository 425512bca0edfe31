/**
 * Starts the service for a test, and makes sure that it ends, with its temporary folder, even if a test
 * throws (`await using`) or the test process itself ends. If the process does not matter, a host holds the
 * service (host.ts): same program, own address, folder, port, environment and log, but no process to start.
 * See `needsOwnProcess`.
 */
import type { Delays } from '../../src/config/delays.ts'
import { type CommandResult, commandProcess } from './command.ts'
import { openFolder, realDisk } from './folder.ts'
import { commandHost, type Environment, inherited, serviceHost } from './host-client.ts'
import { isShared, testSetting, testWorkers } from './modes.ts'
import { failIfTold, keepSecret, keepSecretsOf } from './secrets.ts'
import { beginHosted } from './service-hosted.ts'
import { beginProcess } from './service-process.ts'
import { removePlace, type SharedPlace, sharedPlace, startForwarding } from './shared-place.ts'

export type { CommandResult } from './command.ts'
export type LogLine = Record<string, unknown>

export interface ServiceOptions {
  env?: Environment
  /** Used as it is and not removed; without it a temporary folder is created and removed at the end. */
  dataDir?: string
  /**
   * Prefix of the command, e.g. `['prlimit', '--fsize=1000000']`; it must exec the command, so that the pid
   * stays the same.
   */
  wrapper?: string[]
  /** Its temporary folder is on a real disk, even if those of other tests are in memory. */
  onDisk?: boolean
  /** A real process, as an operator starts it: for tests of its pid, memory, signals or end. */
  ownProcess?: boolean
  /** Milliseconds by which its clock is ahead. Not with `ownProcess`. */
  clockAhead?: number
  /** If it differs from the mode of the run. `shared`: two instances on PostgreSQL and an object store. */
  mode?: 'shared' | 'embedded'
  /** Database and bucket of the shared mode, which are not removed; without them fresh ones are created. */
  place?: SharedPlace
  /** Number of instances in the shared mode, if not two. */
  instances?: number
  /** Shorter delays than the real ones. Not with `ownProcess`. */
  delays?: Partial<Delays>
}

export interface Service extends AsyncDisposable {
  /** Address, port and pid belong to the current run: they change with `restart()`. */
  readonly url: string
  readonly port: number
  /** Only with `ownProcess`. */
  readonly pid: number
  readonly dataDir: string
  /** The environment of the service and of commands beside it. */
  readonly env: Environment
  /** The processes of the current run: one, or two in the shared mode. */
  readonly instances: readonly { url: string; run: Run }[]
  /** Every JSON line of standard output so far, of all runs. */
  logs(): LogLine[]
  /** Standard output and standard error so far, as written. */
  output(): string
  /**
   * Runs an operator's command beside the service, e.g. `command('sweep')`, in the process for commands
   * (host.ts).
   */
  command(...args: string[]): Promise<CommandResult>
  /** Runs the command in a separate process: for tests of the process itself. */
  commandProcess(...args: string[]): Promise<CommandResult>
  /** Creates a token with the flags of `token create`; returns its clear text. */
  createToken(...flags: string[]): Promise<string>
  /** SIGTERM; returns the exit code once the process is gone. Calling it again does nothing. */
  stop(): Promise<number>
  /** SIGKILL; returns once the process is gone. Only with `ownProcess`. */
  kill9(): Promise<void>
  /** Ends the current run (gracefully, unless it is gone already) and starts again on the same folder. */
  restart(env?: Environment, options?: Pick<ServiceOptions, 'clockAhead'>): Promise<void>
  /** Stops and removes the temporary folder. */
  [Symbol.asyncDispose](): Promise<void>
}

/** One run of a service, from its start to its exit. */
export interface Run {
  readonly port: number
  readonly pid: number
  /** Standard output so far; log lines are searched only there, so that other output cannot split one. */
  stdout(): string
  /** Standard output and standard error so far. */
  everything(): string
  /** The clear text of a new token with these flags; null if only a command can create it. */
  createToken(args: string[]): Promise<string> | null
  /** Returns the exit code, also when called again. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>
}

/** The parameters of a run. */
export interface RunParts extends Pick<ServiceOptions, 'wrapper' | 'clockAhead' | 'delays'> {
  env: Environment
  /** Removed with the test process, even if that is killed. */
  temporaryFolder: string | undefined
}

/** Folders on which this test file has a running service. */
const inUse = new Set<string>()

/** What only a process of its own can have: search path, time zone, locale, runtime options. */
const OF_THE_PROCESS = /^(PATH|HOME|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|BUN_\w+|NODE_\w+)$/

function needsOwnProcess(options: ServiceOptions, env: Environment, dataDir: string): boolean {
  if (options.ownProcess || options.wrapper) return true
  // Several services on one folder are several processes, as for a real operator.
  return inUse.has(dataDir) || Object.keys(env).some(name => OF_THE_PROCESS.test(name))
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const newFolder = async () => opened.use(await openFolder(options.onDisk ? realDisk() : undefined)).path
  const dataDir = options.dataDir ?? (await newFolder())
  const mode = options.mode ?? (isShared() || options.place !== undefined ? 'shared' : 'embedded')
  const place = mode === 'shared' ? await sharedPlace(dataDir, options.place) : undefined
  if (place && options.dataDir === undefined && !options.place) opened.defer(() => removePlace(dataDir))
  // Instances share nothing but database and store: each has a folder of its own, as on a machine of its own.
  const folders = [dataDir]
  while (place && folders.length < (options.instances ?? 2)) folders.push(await newFolder())
  const forwarder = place && opened.use(await startForwarding())
  const generations: Run[][] = []
  let env = options.env ?? {}
  let ahead = options.clockAhead ?? 0
  /** Several processes can have neither another clock nor shorter delays. */
  const workers = () => (place || ahead !== 0 || options.delays ? null : testWorkers())
  const environmentOf = (folder: string) =>
    environment(folder, {
      ...(workers() !== null && { WORKERS: workers()! }),
      ...place?.env,
      ...(place && { SICHERUNG_ZIEL: `${dataDir}/sicherung` }),
      ...env,
      // Files written for the embedded mode may leave it empty; tests of several machines set it
      // deliberately.
      ...(forwarder &&
        (isShared() ? !env.PUBLIC_URL : env.PUBLIC_URL === undefined) && {
          PUBLIC_URL: `http://localhost:${forwarder.port}`,
        }),
      // The service's address is that of the forwarder.
      ...(place && { PORT: '0' }),
    })

  const beginIn = async (folder: string) => {
    const own = workers() !== null || needsOwnProcess(options, env, dataDir)
    const parts = {
      ...options,
      clockAhead: ahead,
      env: environmentOf(folder),
      temporaryFolder: folder === options.dataDir ? undefined : folder,
    }
    return own ? beginProcess(parts) : beginHosted(parts)
  }
  const begin = async () => {
    const runs: Run[] = []
    generations.push(runs)
    keepSecretsOf(environmentOf(dataDir))
    // One after the other, because the first one creates the first account.
    for (const folder of folders) runs.push(await beginIn(folder))
    inUse.add(dataDir)
    await forwarder?.to(runs.map(({ port }) => port))
  }
  const present = () => generations.at(-1)!
  const first = () => present()[0]!
  const port = () => forwarder?.port ?? first().port
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    inUse.delete(dataDir)
    const codes = await Promise.all(present().map(run => run.end(signal)))
    for (const run of present()) failIfTold('The log of a service', run.everything())
    return codes.find(code => code !== 0) ?? 0
  }

  const tokenByCommand = async (flags: string[]) => {
    const args = ['token', 'create', ...flags]
    const { code, stdout, stderr } = await (await serviceHost()).command({
      ...{ args, env: environmentOf(dataDir), input: '' },
    })
    if (code !== 0) throw new Error(stderr)
    return stdout.trimEnd().split('\n').at(-1)!
  }

  try {
    await begin()
  } catch (error) {
    await Promise.allSettled(present().map(run => run.end('SIGTERM')))
    throw error
  }
  const parts = opened.move()

  return {
    dataDir,
    get url() {
      return `http://127.0.0.1:${port()}`
    },
    get port() {
      return port()
    },
    get pid() {
      return first().pid
    },
    get env() {
      return environmentOf(dataDir)
    },
    get instances() {
      return present().map(run => ({ run, url: `http://127.0.0.1:${run.port}` }))
    },
    logs: () => generations.flat().flatMap(run => parseLines(run.stdout())),
    output: () =>
      generations
        .flat()
        .map(run => run.everything())
        .join(''),
    command: async (...args) =>
      (await commandHost()).command({ args, env: environmentOf(dataDir), input: '' }),
    commandProcess: (...args) => commandProcess(args, { env: environmentOf(dataDir) }),
    async createToken(...flags) {
      const given = flags.includes('--name') ? flags : ['--name', 'test', ...flags]
      return keepSecret('a token', await (first().createToken(given) ?? tokenByCommand(given)))
    },
    stop: () => end('SIGTERM'),
    async kill9() {
      await end('SIGKILL')
    },
    async restart(changed, { clockAhead = ahead } = {}) {
      await end('SIGTERM')
      ahead = clockAhead
      env = { ...env, ...changed }
      await begin()
    },
    async [Symbol.asyncDispose]() {
      try {
        await end('SIGTERM')
      } finally {
        await parts.disposeAsync()
      }
    },
  }
}

function environment(dataDir: string, extra: Environment): Environment {
  return {
    ...inherited(),
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    // The chats of the tests listen on this machine.
    WEBHOOK_INTERN: 'ja',
    ...testSetting(),
    ...extra,
  }
}

/**
 * The same service, asked at one instance: for tests of what one process counts, or keeps on its own disk.
 */
export const atInstance = (service: Service, which: number): Service =>
  Object.create(service, {
    url: { get: () => service.instances.at(which)!.url },
    port: { get: () => service.instances.at(which)!.run.port },
  }) as Service

/** Only complete lines: the last one may still be on its way. */
export function parseLines(text: string): LogLine[] {
  const lines: LogLine[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    if (!line.startsWith('{')) continue
    try {
      lines.push(JSON.parse(line) as LogLine)
    } catch {
      // Not every line that begins with a brace is a log line; it is still in output().
    }
  }
  return lines
}
