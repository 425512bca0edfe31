/** How a decoder process ends itself, and what it says before. */

/**
 * The last line that a decoder above its memory bound writes to standard error. Not an exit code: the
 * watchdog thread writes this line while the main thread may be stuck, and a thread cannot choose the exit
 * code of its process.
 */
export const MEMORY_WORDS = 'fundus decoder: memory bound reached'

/** Ends this process and the ffmpeg that it may have started; both are in one process group. */
export function endEverything(): never {
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  } catch {
    // This process leads no process group, because it was started by hand.
  }
  process.exit(1)
}
