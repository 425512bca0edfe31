/** Lowers the priority of a process beside the service, so that serving files comes first. */
import { readdirSync, readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

export function lowerPriority(niceness: number): void {
  attempt(() => setPriority(niceness))
  if (process.platform !== 'linux') return
  // Niceness belongs to a thread, and the runtime has begun some already; later ones are begun by them.
  attempt(() => {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness)
  })
}

/** The same for the thread that calls. Only Linux has priorities of threads. */
export function lowerThreadPriority(niceness: number): void {
  attempt(() => {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    if (getPriority(thread) < niceness) setPriority(thread, niceness)
  })
}

/** For a step that may be forbidden or unknown on a system, and that the process works without. */
export function attempt(step: () => void): void {
  try {
    step()
  } catch {}
}
