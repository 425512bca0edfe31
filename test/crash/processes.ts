import { expect } from 'bun:test'
import { resolve } from 'node:path'
import { testWorkers } from '../support/modes.ts'
import { descendants, isAlive } from '../support/processes.ts'
import { LOCALE } from '../support/tools.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')

/** Starts a command, which the test kills (`killed`) or lets end by itself (`expectSuccess`). */
export const spawnCommand = (dataDir: string, args: readonly string[], env: Record<string, string> = {}) =>
  Bun.spawn([process.execPath, 'src/cli.ts', ...args], {
    cwd: REPOSITORY,
    env: { ...LOCALE, PATH: process.env.PATH ?? '', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/**
 * Waits until a command has ended by itself. If it failed, the test fails with the command's own words,
 * unless `expectedRefusal` matches them.
 */
export async function expectSuccess(
  child: ReturnType<typeof spawnCommand>,
  expectedRefusal?: RegExp,
): Promise<void> {
  const code = await child.exited
  const said = code === 0 ? '' : await new Response(child.stderr).text()
  if (!expectedRefusal?.test(said)) expect({ code, said }).toEqual({ code: 0, said: '' })
}

/** Kills a command after this many milliseconds, unless it has ended; returns whether it was killed. */
export async function killed(child: ReturnType<typeof spawnCommand>, afterMs: number): Promise<boolean> {
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  await child.exited
  clearTimeout(timer)
  return child.signalCode === 'SIGKILL'
}

/** Starts the service and kills it after a delay; returns whether it was ready by then. */
export async function killDuringStart(dataDir: string, afterMs: number): Promise<boolean> {
  const env = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', WORKERS: testWorkers() ?? '1' }
  const child = spawnCommand(dataDir, ['start'], env)
  await Bun.sleep(afterMs)
  const helpers = descendants(child.pid)
  child.kill('SIGKILL')
  const [output] = await Promise.all([new Response(child.stdout).text(), child.exited])
  await survivors(helpers)
  return output.includes('"listening"')
}

/** The processes that are still alive after a grace period: a helper must end with its service. */
export async function survivors(pids: number[]): Promise<number[]> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const alive = pids.filter(isAlive)
    if (alive.length === 0 || Date.now() > deadline) return alive
    await Bun.sleep(5)
  }
}
