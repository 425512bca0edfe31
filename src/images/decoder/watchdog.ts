/**
 * The watchdog thread of the decoder: ends the process if its parent has exited or its memory limit is
 * reached.
 */
import { writeSync } from 'node:fs'
import { killOwnProcessGroup, MEMORY_LIMIT_MESSAGE } from './end.ts'

declare const self: Worker

const CHECK_INTERVAL = 50

export interface WatchdogLimits {
  memoryBytes: number
  /**
   * The process id of the parent, as the parent passed it: the parent may have exited before this thread
   * started, so that `process.ppid` would name another process.
   */
  parentPid: number
}

self.onmessage = ({ data: { memoryBytes, parentPid } }: MessageEvent<WatchdogLimits>) => {
  setInterval(() => {
    // While the main thread is busy, it does not notice that the IPC channel was closed because the parent
    // was killed. On Windows, job objects end this process.
    if (process.platform !== 'win32' && process.ppid !== parentPid) killOwnProcessGroup()
    if (process.memoryUsage.rss() > memoryBytes) {
      writeSync(process.stderr.fd, `${MEMORY_LIMIT_MESSAGE}\n`)
      killOwnProcessGroup()
    }
  }, CHECK_INTERVAL)
}
