/**
 * Lowers the scheduling priority of commands, decoders and background threads, so that serving files comes
 * first.
 */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { attempt, succeeds } from '../attempt.ts'

const MAX_PASSES = 10

export function lowerPriority(niceness: number): void {
  attempt(() => {
    if (getPriority() < niceness) setPriority(niceness)
  })
  if (process.platform !== 'linux') return
  // On Linux every thread has its own niceness. Threads that the runtime has started may start others during
  // a pass, so passes are repeated until one finds no thread to lower.
  attempt(() => {
    for (let pass = 0; pass < MAX_PASSES && lowerAllThreadPriorities(niceness); pass++);
  })
}

/** Lowers the priority of all threads of this process. Returns false if no thread had to be lowered. */
function lowerAllThreadPriorities(niceness: number): boolean {
  let hasLowered = false
  for (const threadId of readdirSync('/proc/self/task').map(Number))
    attempt(() => {
      // Throws if the thread has exited.
      if (getPriority(threadId) >= niceness) return
      hasLowered = true
      setPriority(threadId, niceness)
    })
  return hasLowered
}

/** Lowers the priority of the calling thread; Linux only. */
export function lowerThreadPriority(niceness: number): void {
  attempt(() => {
    const threadId = Number(basename(readlinkSync('/proc/thread-self')))
    if (getPriority(threadId) < niceness) setPriority(threadId, niceness)
  })
}

/**
 * Sets the nice value of the autogroup (session) that the process `pid` belongs to. Linux distributes
 * processor time to the autogroups by this value, and within each by the niceness of its processes (sched(7),
 * "The autogroup feature"). Unlike niceness, the value can be lowered again, down to 0, without privileges.
 * Returns false if it cannot be set, for example because it is set too often.
 */
export const setSessionNiceness = (pid: number, niceness: number): boolean =>
  process.platform === 'linux' && succeeds(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)))
