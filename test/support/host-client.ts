/** The client of the processes that hold services and run commands (host.ts). */

import { readFileSync } from 'node:fs'
import type { Delays } from '../../src/config/delays.ts'
import type { CommandResult } from './command.ts'
import { startLasting } from './remains.ts'
import { withoutSecrets } from './secrets.ts'
import { sharedPart } from './shared-parts.ts'
import { GERMAN } from './tools.ts'
import { placesOnWindows, programCommand } from './windows.ts'

export type Environment = Record<string, string>

export interface StartOrder {
  env: Environment
  /** Receives the log lines of the service. */
  logFile: string
  /** Milliseconds by which its clock is ahead. */
  clockAhead: number
  /** All others have their real values. */
  delays: Partial<Delays>
  /** Whether the data folder was created for this service. */
  isTemporary: boolean
}

export interface CommandOrder {
  /** The arguments after `fundus`. */
  args: string[]
  env: Environment
  /** What the command reads from standard input. */
  input: string
}

export interface TokenOrder {
  /** A running service. */
  id: number
  /** The arguments after `fundus token create`. */
  args: string[]
}

export interface Host {
  start(order: StartOrder): Promise<{ id: number; port: number }>
  /**
   * Creates the migrated database of a new temporary folder, for which a process of its own would need a
   * tenth of a second.
   */
  prepare(dataDir: string): Promise<void>
  stop(id: number): Promise<void>
  /** Creates a token; returns its clear text. */
  token(order: TokenOrder): Promise<string>
  command(order: CommandOrder): Promise<CommandResult>
  /** Creates a migrated database on the PostgreSQL server at this port; returns its address. */
  database(server: number): Promise<string>
  /**
   * Opens a port whose connections go to these ports in turn; with `port`, an existing one gets other
   * targets.
   */
  forward(targets: number[], port?: number): Promise<number>
  endForward(port: number): Promise<void>
  /** The names that every object of this process inherits. */
  inheritedNames(): Promise<string[]>
  /** What the process has written to standard error so far. */
  complaints(): string
}

export interface HostAddress {
  url: string
  complaintsFile: string
}

/**
 * The only variables that are passed on: a setting in the developer's shell must not reach the service under
 * test.
 */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']

export function inherited(): Environment {
  const entries = INHERITED.flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...GERMAN, ...Object.fromEntries(entries) }
}

type HostName = 'commands' | `services-${number}`

const known = new Map<HostName, Promise<Host>>()

/** The host of this worker's services. */
export const serviceHost = () => hostFor(`services-${Number(process.env.BUN_TEST_WORKER_ID ?? 1)}`)

export const commandHost = () => hostFor('commands')

/** The host of this run; a test file that runs alone starts its own, which ends with it. */
function hostFor(name: HostName): Promise<Host> {
  const host =
    known.get(name) ??
    sharedPart(name).then(address =>
      address ? hostAt(address.url, () => readFileSync(address.complaintsFile, 'utf8')) : ownHost(),
    )
  known.set(name, host)
  return host
}

async function ownHost(): Promise<Host> {
  let complaints = ''
  const { url, child } = await startLasting(() => spawnHost('pipe'))
  void (async () => {
    const decoder = new TextDecoder()
    for await (const part of child.stderr as ReadableStream<Uint8Array>) {
      process.stderr.write(part)
      complaints += decoder.decode(part, { stream: true })
    }
  })()
  return hostAt(url, () => complaints)
}

/** The host ends when its standard input is closed: with this process, or by `child.stdin.end()`. */
export async function spawnHost(stderr: 'pipe' | Bun.BunFile) {
  const program = programCommand('test/support/host.ts', [], inherited())
  const child = Bun.spawn(program.command, {
    cwd: program.cwd,
    env: program.env,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr,
  })
  const { value } = await child.stdout.getReader().read()
  if (!value) throw new Error('The process that holds the services of the tests did not start.')
  return { child, url: new TextDecoder().decode(value).trim() }
}

function hostAt(url: string, complaints: () => string): Host {
  const order = async <T>(name: string, what: unknown): Promise<T> => {
    // Not kept alive: an open connection would count as left behind by a test.
    const init = { method: 'POST', body: JSON.stringify(what), keepalive: false }
    const response = await fetch(new URL(name, url), init)
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as T
  }
  return {
    start: what => order('start', { ...what, env: placesOnWindows(what.env) }),
    async prepare(dataDir) {
      await order('prepare', { dataDir: placesOnWindows({ DATA_DIR: dataDir }).DATA_DIR })
    },
    async stop(id) {
      await order('stop', { id })
    },
    token: async what => (await order<{ clearText: string }>('token', what)).clearText,
    command: async what =>
      withoutSecrets(
        what.args,
        await order<CommandResult>('command', { ...what, env: placesOnWindows(what.env) }),
      ),
    database: async server => (await order<{ url: string }>('database', { server })).url,
    forward: async (targets, port) => (await order<{ port: number }>('forward', { targets, port })).port,
    async endForward(port) {
      await order('end-forward', { port })
    },
    inheritedNames: async () => (await order<{ names: string[] }>('inherited-names', {})).names,
    complaints,
  }
}
