/**
 * The watchdog thread of the decoder: ends the process when its parent is gone or its memory bound is
 * reached.
 */
import { writeSync } from 'node:fs'
import { endEverything, MEMORY_WORDS } from './end.ts'

declare const self: Worker

const EVERY_MS = 50

export interface Watched {
  memoryBytes: number
  /** Told by the parent itself, which may be gone before this thread has begun. */
  parent: number
}

self.onmessage = ({ data: { memoryBytes, parent } }: MessageEvent<Watched>) => {
  setInterval(() => {
    // When the parent is killed while the main thread is busy, the main thread does not see the channel
    // close. On Windows the runtime's job objects end this process.
    if (process.platform !== 'win32' && process.ppid !== parent) endEverything()
    if (process.memoryUsage.rss() > memoryBytes) {
      writeSync(process.stderr.fd, `${MEMORY_WORDS}\n`)
      endEverything()
    }
  }, EVERY_MS)
}
