/** Lowers the priority of a process beside the service, so that serving files comes first. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { attempt, succeeds } from './attempt.ts'

const MAX_PASSES = 10

export function lowerPriority(niceness: number): void {
  attempt(() => {
    if (getPriority() < niceness) setPriority(niceness)
  })
  if (process.platform !== 'linux') return
  // Niceness belongs to a thread; the runtime has started some already, which may start others meanwhile.
  attempt(() => {
    for (let look = 0; look < MAX_PASSES && lowerThreads(niceness); look++);
  })
}

/** Whether there was a thread that had not been lowered yet. */
function lowerThreads(niceness: number): boolean {
  let found = false
  for (const thread of readdirSync('/proc/self/task').map(Number))
    attempt(() => {
      // Throws if the thread has exited.
      if (getPriority(thread) >= niceness) return
      found = true
      setPriority(thread, niceness)
    })
  return found
}

/** Lowers the priority of the calling thread; Linux only. */
export function lowerThreadPriority(niceness: number): void {
  attempt(() => {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    if (getPriority(thread) < niceness) setPriority(thread, niceness)
  })
}

/**
 * Linux weighs sessions against each other before it looks at niceness (sched(7), "autogroup"). This sets the
 * weight of the session of `leader`; unlike niceness it can be raised again without privileges. False if it
 * cannot be set, or was set several times within a second.
 */
export const weighSession = (leader: number, niceness: number): boolean =>
  process.platform === 'linux' && succeeds(() => writeFileSync(`/proc/${leader}/autogroup`, String(niceness)))
