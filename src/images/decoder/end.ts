/** How a decoder process ends itself. */
import { attempt } from '../../base/attempt.ts'

/**
 * The last line on standard error when the memory limit is reached. It tells the parent the reason, which the
 * exit code cannot: the watchdog thread ends the process while the main thread may be blocked, and a thread
 * cannot choose the exit code of its process.
 */
export const MEMORY_LIMIT_MESSAGE = 'fundus decoder: memory bound reached'

/**
 * Kills this process and the ffmpeg that it may have started, which share a process group. On Windows, a job
 * object ends ffmpeg.
 */
export function killOwnProcessGroup(): never {
  // This fails if this process does not lead a process group. The service starts it as the leader of one.
  attempt(() => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'))
  process.exit(1)
}
