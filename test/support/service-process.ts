/** A run of the service as an operator starts it: a process, ended by its own process id. */
import { rmSync } from 'node:fs'
import { makeBundle } from './bundle.ts'
import { serviceHost } from './host-client.ts'
import { childrenOf } from './processes.ts'
import { parseLines, type Run, type RunParts } from './service.ts'
import { programCommand, stopSignal, withoutNoise } from './windows.ts'

const START_DEADLINE_MS = 60_000
/**
 * Less than a service grants to running requests, so that stopping cannot succeed by waiting for their limit.
 */
export const STOP_DEADLINE_MS = 25_000
/** Milliseconds for which a child of a killed service may keep the pipe open. */
const LAST_WORDS_MS = 1000

// A test run that is ended from outside disposes of nothing; its services and their folders must not outlive
// it.
const living = new Map<Bun.Subprocess, string | undefined>()
process.on('exit', () => {
  for (const [child, folder] of living) {
    child.kill('SIGKILL')
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

export async function beginProcess({ env, wrapper = [], temporaryFolder }: RunParts): Promise<Run> {
  let stdout = ''
  let everything = ''
  let asked = false
  // A benchmark, or a test run by hand, comes here without prepare.ts, and must use the same program as an
  // operator.
  makeBundle()
  if (temporaryFolder !== undefined && !env.DATABASE_URL) await (await serviceHost()).prepare(temporaryFolder)
  const program = programCommand('src/cli.ts', ['start', '--no-build'], env)
  const child = Bun.spawn([...wrapper, ...program.command], {
    cwd: program.cwd,
    env: program.env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  living.set(child, temporaryFolder)
  void child.exited.then(() => living.delete(child))
  const drained = Promise.all([
    drain(child.stdout, part => {
      stdout += part
      everything += part
    }),
    drain(child.stderr, part => {
      everything += part
    }),
  ])

  const listening = async () => {
    const deadline = Date.now() + START_DEADLINE_MS
    for (;;) {
      const line = parseLines(stdout).find(each => each.message === 'listening')
      if (typeof line?.port === 'number') return line.port
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
        child.kill('SIGKILL')
        await child.exited
        await drained
        throw new Error(`The service did not start. The end of its log:\n${everything.slice(-4000)}`)
      }
      await Bun.sleep(5)
    }
  }

  const port = await listening()
  void child.exited.then(code => {
    // Printed if the service ends by itself, because the test sees only a refused connection.
    if (!asked) console.error(`The service ended by itself, ${code}:\n${everything.slice(-4000)}`)
  })
  return {
    port,
    pid: child.pid,
    createToken: () => null,
    stdout: () => stdout,
    everything: () => withoutNoise(everything),
    async end(signal) {
      asked = true
      let late = false
      // Workers are killed with their supervisor, as when the whole machine loses power.
      const workers = signal === 'SIGKILL' && Number(env.WORKERS) > 1 ? childrenOf(child.pid) : []
      if (living.has(child)) child.kill(signal === 'SIGTERM' ? stopSignal() : signal)
      for (const pid of workers) killIfThere(pid)
      const timer = setTimeout(() => {
        late = true
        child.kill('SIGKILL')
      }, STOP_DEADLINE_MS)
      const code = await child.exited
      clearTimeout(timer)
      await Promise.race([drained, Bun.sleep(LAST_WORDS_MS)])
      if (late) throw new Error(`The service did not stop within ${STOP_DEADLINE_MS} ms of ${signal}.`)
      return code
    },
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

async function drain(stream: ReadableStream<Uint8Array>, collect: (part: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const part of stream) collect(decoder.decode(part, { stream: true }))
}
