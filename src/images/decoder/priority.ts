/**
 * Lowers the priority of this process: serving files is more important than decoding, and the kernel should
 * kill this process first if memory runs out.
 */
import { writeFileSync } from 'node:fs'
import { attempt } from '../../base/attempt.ts'
import { lowerPriority } from '../../base/system/priority.ts'

/**
 * Niceness of a decoder. With 10, readers of files waited up to 100 ms while pictures were made; with 15,
 * half of that (decision 0033).
 */
export const DECODER_NICENESS = 15

export function lowerOwnPriority(): void {
  lowerPriority(DECODER_NICENESS)
  if (process.platform === 'linux') attempt(() => writeFileSync('/proc/self/oom_score_adj', '1000'))
}
