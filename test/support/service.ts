/**
 * Starts the real service as an operator would, and is sure to end it: by its own process id, with its temporary
 * folder, also when a test throws (`await using`) or the test process itself goes away.
 */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { LOCALE } from './tools.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')
const START_DEADLINE_MS = 15_000
const STOP_DEADLINE_MS = 15_000
/** All that is handed on: a setting in the developer's own shell must not reach the service under test. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']

export type LogLine = Record<string, unknown>

export interface ServiceOptions {
  env?: Record<string, string>
  /** Used as it is and left in place; without it a temporary folder is made and removed at the end. */
  dataDir?: string
  /** Put before the command, e.g. `['prlimit', '--fsize=1000000']`; must exec it, so that the pid stays its. */
  wrapper?: string[]
}

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

export interface Service extends AsyncDisposable {
  /** Address, port and pid are those of the present run: they change with `restart()`. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** Every JSON line of standard output so far, of all runs. */
  logs(): LogLine[]
  /** Standard output and standard error so far, as written. */
  output(): string
  /** An operator's command beside the running service, e.g. `command('sweep')`. */
  command(...args: string[]): Promise<CommandResult>
  /** Makes a token with the flags of `token create`; answers its clear text. */
  createToken(...flags: string[]): Promise<string>
  /** SIGTERM; answers the exit code once the process is gone. Calling it again does nothing. */
  stop(): Promise<number>
  /** SIGKILL; returns once the process is gone. */
  kill9(): Promise<void>
  /** Ends the present run (gracefully, unless it is gone already) and starts again on the same folder. */
  restart(env?: Record<string, string>): Promise<void>
  /** Stops and removes the temporary folder. */
  [Symbol.asyncDispose](): Promise<void>
}

interface Run {
  child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  port: number
  /** True from the moment it is told to end. */
  asked: boolean
  /** Resolves when all its output has been read. */
  drained: Promise<unknown>
}

// A test run that is ended from outside disposes of nothing; its services and their folders must not outlive it.
const living = new Map<Run['child'], string | undefined>()
process.on('exit', () => {
  for (const [child, folder] of living) {
    child.kill('SIGKILL')
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'fundus-test-')))
  let env = options.env ?? {}
  // Log lines are looked for in standard output alone, so that nothing breaks into one.
  let stdout = ''
  let everything = ''
  let run: Run

  const removeTemporary = async () => {
    if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
  }

  const begin = async () => {
    const from = stdout.length
    const child = Bun.spawn(
      [...(options.wrapper ?? []), process.execPath, 'src/cli.ts', 'start', '--no-build'],
      {
        cwd: REPOSITORY,
        env: environment(dataDir, env),
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    living.set(child, options.dataDir ? undefined : dataDir)
    child.exited.then(() => living.delete(child))
    const drained = Promise.all([
      drain(child.stdout, part => {
        stdout += part
        everything += part
      }),
      drain(child.stderr, part => {
        everything += part
      }),
    ])
    const deadline = Date.now() + START_DEADLINE_MS
    for (;;) {
      const line = parseLines(stdout.slice(from)).find(each => each.message === 'listening')
      if (typeof line?.port === 'number') {
        const started = { child, port: line.port, asked: false, drained }
        child.exited.then(code => {
          // Unasked it must not end: said here, since the test only sees a refused connection.
          if (!started.asked)
            console.error(`The service ended by itself, ${code}:\n${everything.slice(-4000)}`)
        })
        return started
      }
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
        child.kill('SIGKILL')
        await child.exited
        await drained
        throw new Error(`The service did not start. The end of its log:\n${everything.slice(-4000)}`)
      }
      await Bun.sleep(5)
    }
  }

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const { child } = run
    run.asked = true
    let late = false
    if (living.has(child)) child.kill(signal)
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, STOP_DEADLINE_MS)
    const code = await child.exited
    clearTimeout(timer)
    // A child of a killed service may hold the pipe a moment longer.
    await Promise.race([run.drained, Bun.sleep(1000)])
    if (late) throw new Error(`The service did not stop within ${STOP_DEADLINE_MS} ms of ${signal}.`)
    return code
  }

  const command = async (...args: string[]): Promise<CommandResult> => {
    const child = Bun.spawn([process.execPath, 'src/cli.ts', ...args], {
      cwd: REPOSITORY,
      env: environment(dataDir, env),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, stdout, stderr }
  }

  try {
    run = await begin()
  } catch (error) {
    await removeTemporary()
    throw error
  }

  return {
    dataDir,
    get url() {
      return `http://127.0.0.1:${run.port}`
    },
    get port() {
      return run.port
    },
    get pid() {
      return run.child.pid
    },
    logs: () => parseLines(stdout),
    output: () => everything,
    command,
    async createToken(...flags) {
      const name = flags.includes('--name') ? [] : ['--name', 'test']
      const { code, stdout, stderr } = await command('token', 'create', ...name, ...flags)
      const token = stdout.trim().split('\n').at(-1) ?? ''
      if (code !== 0 || !token.startsWith('media_')) {
        throw new Error(`token create ${flags.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
      }
      return token
    },
    stop: () => end('SIGTERM'),
    async kill9() {
      await end('SIGKILL')
    },
    async restart(changed) {
      await end('SIGTERM')
      env = { ...env, ...changed }
      run = await begin()
    },
    async [Symbol.asyncDispose]() {
      try {
        await end('SIGTERM')
      } finally {
        await removeTemporary()
      }
    },
  }
}

function environment(dataDir: string, extra: Record<string, string>): Record<string, string> {
  const inherited = INHERITED.flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(inherited),
    ...LOCALE,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...extra,
  }
}

async function drain(stream: ReadableStream<Uint8Array>, collect: (part: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const part of stream) collect(decoder.decode(part, { stream: true }))
}

/** Only whole lines: the last one may still be on its way. */
function parseLines(text: string): LogLine[] {
  const lines: LogLine[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    if (!line.startsWith('{')) continue
    try {
      lines.push(JSON.parse(line) as LogLine)
    } catch {
      // Not every line that begins with a brace is a log line; it still stands in output().
    }
  }
  return lines
}
