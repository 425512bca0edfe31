import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { testWorkers } from '../support/modes.ts'
import { LOCALE } from '../support/tools.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')

/** Starts the service and kills it before it had the time to get ready; answers whether it already had been. */
export async function killDuringStart(dataDir: string, afterMs: number): Promise<boolean> {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'start'], {
    cwd: REPOSITORY,
    env: {
      ...LOCALE,
      PATH: process.env.PATH ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      WORKERS: testWorkers() ?? '1',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  await Bun.sleep(afterMs)
  const helpers = descendants(child.pid)
  child.kill('SIGKILL')
  const [output] = await Promise.all([new Response(child.stdout).text(), child.exited])
  await survivors(helpers)
  return output.includes('"listening"')
}

/** Processes that this one started, and theirs. Linux only; elsewhere none are known. */
export function descendants(pid: number): number[] {
  if (process.platform !== 'linux') return []
  const children = read(() =>
    readdirSync(`/proc/${pid}/task`).flatMap(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    ),
  )
  return (children ?? []).flatMap(child => [child, ...descendants(child)])
}

/** Those that are still alive after a grace period: a helper must end with the service that it served. */
export async function survivors(pids: number[]): Promise<number[]> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const alive = pids.filter(isAlive)
    if (alive.length === 0 || Date.now() > deadline) return alive
    await Bun.sleep(5)
  }
}

function isAlive(pid: number): boolean {
  const state = read(() => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** A process may be gone between two looks at it. */
function read<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
