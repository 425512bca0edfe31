/**
 * The watchdog thread of the decoder: ends the process if its parent has exited or its memory limit is
 * reached.
 */
import { writeSync } from 'node:fs'
import { endEverything, MEMORY_WORDS } from './end.ts'

declare const self: Worker

const EVERY_MS = 50

export interface WatchdogLimits {
  memoryBytes: number
  /**
   * The process id of the parent. The parent passes it, because it may have exited before this thread starts.
   */
  parent: number
}

self.onmessage = ({ data: { memoryBytes, parent } }: MessageEvent<WatchdogLimits>) => {
  setInterval(() => {
    // While the main thread is busy, it does not notice that the channel was closed because the parent was
    // killed. On Windows, job objects end this process.
    if (process.platform !== 'win32' && process.ppid !== parent) endEverything()
    if (process.memoryUsage.rss() > memoryBytes) {
      writeSync(process.stderr.fd, `${MEMORY_WORDS}\n`)
      endEverything()
    }
  }, EVERY_MS)
}
