/** Examines processes from outside, to prove that a stopped service leaves none behind. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie has ended already; it only waits to be collected.
  return !existsSync(`/proc/${pid}/stat`) || stateAndParent(pid)?.state !== 'Z'
}

export const childrenOf = (pid: number): number[] =>
  allProcesses().flatMap(([child, parent]) => (parent === pid ? [child] : []))

/**
 * The children of this process, from a list that Linux may provide: examining every process takes
 * milliseconds.
 */
export function ownChildren(): number[] {
  try {
    const lists = readdirSync('/proc/self/task').map(thread =>
      readFileSync(`/proc/self/task/${thread}/children`, 'latin1'),
    )
    return lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))
  } catch {
    // There is no such list, or a thread has just ended.
    return childrenOf(process.pid)
  }
}

/** Children, their children and so on, in no particular order. */
export function descendants(pid: number): number[] {
  const parents = new Map(allProcesses())
  const found: number[] = []
  const open = [pid]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const [child, itsParent] of parents) {
      if (itsParent !== parent) continue
      found.push(child)
      open.push(child)
    }
  }
  return found
}

function allProcesses(): [pid: number, parent: number][] {
  if (!existsSync('/proc/self/stat')) {
    const { stdout } = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid='])
    const rows = stdout.toString().trim().split('\n')
    return rows.map(row => row.trim().split(/\s+/).map(Number) as [number, number])
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const parent = stateAndParent(Number(name))?.parent
      return parent === undefined ? [] : [[Number(name), parent] as [number, number]]
    })
}

/** The fields after the name, which is in brackets and may contain spaces and brackets itself. */
function statOf(place: string): string[] {
  const text = readFileSync(`${place}/stat`, 'latin1')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function stateAndParent(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state = '', parent] = statOf(`/proc/${pid}`)
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

/** The niceness of each thread of a process, on Linux. */
export const nicenessOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).map(thread => Number(statOf(`/proc/${pid}/task/${thread}`)[16]))

/** Bytes of memory that a process holds. */
export function memoryOf(pid: number): number {
  if (existsSync(`/proc/${pid}/status`)) {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024
  }
  return Number(Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]).stdout.toString()) * 1024
}
