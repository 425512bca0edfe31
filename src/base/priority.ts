/** Lowers the priority of commands, decoders and background threads, so that serving files comes first. */
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
  // On Linux every thread has its own niceness. Threads that the runtime has started may start others during
  // a pass, so passes are repeated until one finds no thread to lower.
  attempt(() => {
    for (let pass = 0; pass < MAX_PASSES && lowerThreads(niceness); pass++);
  })
}

/** Lowers the priority of all threads of this process. Returns false if all had been lowered before. */
function lowerThreads(niceness: number): boolean {
  let hasLowered = false
  for (const thread of readdirSync('/proc/self/task').map(Number))
    attempt(() => {
      // Throws if the thread has exited.
      if (getPriority(thread) >= niceness) return
      hasLowered = true
      setPriority(thread, niceness)
    })
  return hasLowered
}

/** Lowers the priority of the calling thread; Linux only. */
export function lowerThreadPriority(niceness: number): void {
  attempt(() => {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    if (getPriority(thread) < niceness) setPriority(thread, niceness)
  })
}

/**
 * Sets the scheduling weight of the session of the process `pid`. Linux weighs sessions against each
 * other before it considers niceness (sched(7), "autogroup"). Unlike niceness, the weight can be raised again
 * without privileges. Returns false if the weight cannot be set, or was set several times within a second.
 */
export const weighSession = (pid: number, niceness: number): boolean =>
  process.platform === 'linux' && succeeds(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)))
