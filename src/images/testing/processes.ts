/** For tests: checks whether a process is alive, and waits for conditions. */
import { readFileSync } from 'node:fs'

/** On Linux, a zombie does not count as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== 'linux') return true
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0]
    return state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

export async function waitUntil(condition: () => boolean, timeoutMs = 15_000): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (!condition()) {
    if (performance.now() > end) return false
    await Bun.sleep(10)
  }
  return true
}

export const waitUntilGone = (pid: number) => waitUntil(() => !isAlive(pid))
