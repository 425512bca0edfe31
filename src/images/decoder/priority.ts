/**
 * Makes the decoder give way: serving files comes first, and when memory runs out the kernel should end this
 * process.
 */
import { writeFileSync } from 'node:fs'
import { attempt, lowerPriority } from '../../base/priority.ts'

/**
 * At 10 the kernel was seen to let readers wait for up to 100 ms while pictures were made, at 15 for half of
 * that (decision 0033).
 */
export const NICENESS = 15

export function giveWay(): void {
  lowerPriority(NICENESS)
  if (process.platform === 'linux') attempt(() => writeFileSync('/proc/self/oom_score_adj', '1000'))
}
