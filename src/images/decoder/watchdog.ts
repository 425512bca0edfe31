/** Watchdog thread of the decoder: ends the process if its parent has gone or its memory limit is reached. */
import { writeSync } from 'node:fs'
import { endEverything, MEMORY_WORDS } from './end.ts'

declare const self: Worker

const EVERY_MS = 50

export interface WatchdogOrder {
  memoryBytes: number
  /** Passed by the parent, which may be gone before this thread starts. */
  parent: number
}

self.onmessage = ({ data: { memoryBytes, parent } }: MessageEvent<WatchdogOrder>) => {
  setInterval(() => {
    // A busy main thread does not see the channel close when the parent is killed. On Windows, job objects
    // end this process.
    if (process.platform !== 'win32' && process.ppid !== parent) endEverything()
    if (process.memoryUsage.rss() > memoryBytes) {
      writeSync(process.stderr.fd, `${MEMORY_WORDS}\n`)
      endEverything()
    }
  }, EVERY_MS)
}
