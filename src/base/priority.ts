/** Lowers the priority of a process beside the service, so that serving files comes first. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

const LOOKS_MOST = 10

export function lowerPriority(niceness: number): void {
  attempt(() => {
    if (getPriority() < niceness) setPriority(niceness)
  })
  if (process.platform !== 'linux') return
  // Niceness belongs to a thread, and the runtime has begun some already. Later ones are begun by them, and
  // may be while this looks.
  attempt(() => {
    for (let look = 0; look < LOOKS_MOST && lowerThreads(niceness); look++);
  })
}

/** Whether there was a thread that had not been lowered yet. */
function lowerThreads(niceness: number): boolean {
  let found = false
  for (const thread of readdirSync('/proc/self/task').map(Number))
    attempt(() => {
      // Throws when the thread has ended meanwhile.
      if (getPriority(thread) >= niceness) return
      found = true
      setPriority(thread, niceness)
    })
  return found
}

/** The same for the thread that calls. Only Linux has priorities of threads. */
export function lowerThreadPriority(niceness: number): void {
  attempt(() => {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    if (getPriority(thread) < niceness) setPriority(thread, niceness)
  })
}

/**
 * Linux weighs sessions against each other before it looks at niceness (sched(7), "autogroup"). This sets the
 * weight of the session that `leader` has begun; unlike niceness it can be taken back without special rights.
 * False where it cannot be set, or was set several times within a second.
 */
export const weighSession = (leader: number, niceness: number): boolean =>
  process.platform === 'linux' && attempt(() => writeFileSync(`/proc/${leader}/autogroup`, String(niceness)))

/**
 * For a step that may be forbidden or unknown on a system, and that the process works without. Whether it was
 * done.
 */
export function attempt(step: () => void): boolean {
  try {
    step()
    return true
  } catch {
    return false
  }
}
