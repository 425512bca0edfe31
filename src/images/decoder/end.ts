/** How a decoder process ends itself. */
import { attempt } from '../../base/attempt.ts'

/**
 * The last line on standard error when memory runs out. An exit code could not be used: the watchdog thread
 * writes the line while the main thread may be blocked, and a thread cannot choose the exit code of its
 * process.
 */
export const MEMORY_WORDS = 'fundus decoder: memory bound reached'

/** Kills this process and its ffmpeg, which share a process group. */
export function endEverything(): never {
  // This fails if the process leads no process group, because it was started by hand.
  attempt(() => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'))
  process.exit(1)
}
