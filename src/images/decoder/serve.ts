/** The main loop of the decoder process: receives jobs from the parent and sends replies. */
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { DecoderLimits } from '../options.ts'
import type { Job, Reply } from '../protocol.ts'
import { complaint } from './complain.ts'
import { endEverything } from './end.ts'

const NICENESS = 10
/** When the process still holds this share of the memory bound after a job, the next job might reach the bound. */
const SPENT_SHARE = 0.5

/** Answers jobs of the parent one after the other, until the parent has ended. */
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

/**
 * Starts the watchdog in a thread of its own: it must check memory and parent even while a parser blocks this thread.
 */
function watch(limits: DecoderLimits) {
  const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url).href)
  watchdog.onerror = endEverything
  watchdog.postMessage(limits.memoryBytes)
}

/** Lowers the priority: serving files comes first, and when memory runs out the kernel should kill this process. */
function stepBack() {
  try {
    setPriority(NICENESS)
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not permitted on this system; the decoder works without it.
  }
}
