/** How a decoder process ends itself. */
import { attempt } from '../../base/attempt.ts'

/**
 * The last line on standard error when memory runs out. Not an exit code: the watchdog thread writes it while
 * the main thread may be stuck, and a thread cannot choose its process's exit code.
 */
export const MEMORY_WORDS = 'fundus decoder: memory bound reached'

/** Kills this process and its ffmpeg, which share a process group. */
export function endEverything(): never {
  // Fails if this process leads no group: it was started by hand.
  attempt(() => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'))
  process.exit(1)
}
