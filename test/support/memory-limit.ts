/**
 * A memory limit for a process and its children, like a small machine: a control group of its own. Only for
 * root on Linux.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './wait.ts'

/** The two versions of control groups (cgroups(7)) name their files differently. */
const GENERATIONS = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max' },
]

export interface MemoryLimit extends AsyncDisposable {
  /** Starts a command inside the limit. */
  command(...command: string[]): string[]
}

/** Throws if no limit can be set. */
export function limitMemory(bytes: number): MemoryLimit {
  const generation = GENERATIONS.find(
    ({ root, limit }) => existsSync(join(root, limit)) || root.endsWith('cgroup'),
  )!
  const folder = join(generation.root, `fundus-test-${process.pid}-${Date.now()}`)
  mkdirSync(folder)
  try {
    writeFileSync(join(folder, generation.limit), String(bytes))
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  const processes = join(folder, 'cgroup.procs')
  return {
    command: (...command) => ['sh', '-c', `echo $$ > ${processes} && exec "$@"`, 'sh', ...command],
    async [Symbol.asyncDispose]() {
      await eventually('the control group to be empty', () => {
        for (const pid of readFileSync(processes, 'utf8').split('\n').filter(Boolean)) kill(Number(pid))
        return isRemoved(folder)
      })
    },
  }
}

/** Why no memory limit can be set here, or null. */
export async function memoryLimitProblem(): Promise<string | null> {
  try {
    await using _ = limitMemory(2 ** 30)
    return null
  } catch (error) {
    return `no memory limit can be set here: ${error instanceof Error ? error.message : error}`
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** A group whose last process has just ended cannot be removed yet. */
function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
