/** The watchdog thread of the decoder: ends the process when its parent is gone or its memory bound is reached. */
import { writeSync } from 'node:fs'
import { endEverything, MEMORY_WORDS } from './end.ts'

declare const self: Worker

const EVERY_MS = 50

const parent = process.ppid

self.onmessage = ({ data: memoryBytes }: MessageEvent<number>) => {
  setInterval(() => {
    // When the parent is killed while the main thread is busy, the main thread does not see the channel close.
    if (process.ppid !== parent) endEverything()
    if (process.memoryUsage.rss() > memoryBytes) {
      writeSync(process.stderr.fd, `${MEMORY_WORDS}\n`)
      endEverything()
    }
  }, EVERY_MS)
}
