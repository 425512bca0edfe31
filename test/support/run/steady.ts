/** `npm run test:steady`: runs the quick tests many times on a busy machine. */
import { existsSync } from 'node:fs'
import timings from '../../timings.json'

/** Milliseconds below which a file counts as quick. */
const QUICK = 1000
const LOOPS = 2

/** By their durations when test/timings.json was written. */
export const quickFiles = () =>
  Object.entries(timings.files).flatMap(([file, took]) =>
    took < QUICK && existsSync(file) ? [`./${file}`] : [],
  )

/** Each keeps a core busy; all end when disposed of, or with this process. */
export function startBusyLoops(): Disposable {
  const loop = `while kill -0 ${process.pid}; do :; done`
  const loops = Array.from({ length: LOOPS }, () =>
    Bun.spawn(['sh', '-c', loop], { stdio: ['ignore', 'ignore', 'ignore'] }),
  )
  return {
    [Symbol.dispose]() {
      for (const each of loops) each.kill()
    },
  }
}
