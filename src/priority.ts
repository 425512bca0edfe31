/** Lowers the priority of a process beside the service, so that serving files comes first. */
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

export function lowerPriority(niceness: number): void {
  attempt(() => setPriority(niceness))
  if (process.platform !== 'linux') return
  // Niceness belongs to a thread, and the runtime has begun some already; later ones are begun by them.
  attempt(() => {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness)
  })
}

/** For a step that may be forbidden or unknown on a system, and that the process works without. */
export function attempt(step: () => void): void {
  try {
    step()
  } catch {}
}
