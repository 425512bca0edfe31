import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { DecoderLimits } from '../options.ts'
import type { Job, Reply } from '../protocol.ts'
import { complaint } from './complain.ts'
import { endEverything } from './end.ts'

const NICENESS = 10
/** A share of the memory bound still held after a job: the next one might trip over it. */
const SPENT_SHARE = 0.5

/** Answers jobs from the parent one by one, until the parent is gone. */
export function serve(perform: (job: Job, limits: DecoderLimits) => Promise<unknown>) {
  const limits = JSON.parse(process.argv[2]!) as DecoderLimits
  watch(limits)
  stepBack()
  process.on('disconnect', endEverything)
  process.on('message', async (job: Job) => {
    const outcome = await perform(job, limits).then(answer => ({ answer }), complaint)
    const spent = process.memoryUsage.rss() > limits.memoryBytes * SPENT_SHARE
    process.send!({ ...outcome, spent } satisfies Reply)
  })
}

/** In a thread of its own: it must see memory and parent also while a parser blocks this one. */
function watch(limits: DecoderLimits) {
  const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url).href)
  watchdog.onerror = endEverything
  watchdog.postMessage(limits.memoryBytes)
}

/** Serving files goes first, and if the machine runs out of memory the kernel should take this process. */
function stepBack() {
  try {
    setPriority(NICENESS)
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not allowed here; it was a courtesy.
  }
}
