/**
 * A decoder for tests. If the source file has the name of one of the `tricks`, the decoder does that instead
 * of the job, for example hang or crash.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { basename } from 'node:path'
import { performJob, serveJobs } from '../decoder/serve.ts'
import type { DecoderJob } from '../protocol.ts'

const PIECE_BYTES = 8 * 1024 * 1024
const hoard: Uint8Array[] = []

const tricks: Record<string, (job: DecoderJob) => unknown> = {
  hang: () => new Promise(() => {}),
  spin: () => {
    for (;;);
  },
  crash: () => process.kill(process.pid, 'SIGSEGV'),
  exit: () => {
    console.error('last words')
    process.exit(3)
  },
  hoard: async () => {
    for (;;) {
      hoard.push(new Uint8Array(PIECE_BYTES).fill(1))
      await Bun.sleep(1)
    }
  },
  'hoard-and-spin': () => {
    for (;;) hoard.push(new Uint8Array(PIECE_BYTES).fill(1))
  },
  nonsense: () => process.send!({ hello: 'parent' }),
  lie: async () => ({ width: -1, height: '9' }),
  slow: async () => {
    await Bun.sleep(60)
    return { width: process.pid, height: 1 }
  },
  gated: async ({ source }) => {
    while (!existsSync(source)) await Bun.sleep(5)
    return { width: process.pid, height: 1 }
  },
  scribble: job => {
    if ('scaled' in job) for (const { target } of job.scaled) writeFileSync(target, 'half a picture')
    return new Promise(() => {})
  },
  'crash-in-variant': async job => {
    if (job.kind === 'variant') process.kill(process.pid, 'SIGSEGV')
    return { width: 1, height: 1 }
  },
  vanish: async job => {
    rmSync(job.source)
    throw new Error('no such picture')
  },
  // Reports its environment and priority to the test in an error message, the only free text in a reply.
  tell: async () => {
    const oomScore =
      process.platform === 'linux' ? readFileSync('/proc/self/oom_score_adj', 'utf8').trim() : '1000'
    throw new Error(JSON.stringify({ env: Object.keys(process.env), oom: oomScore, priority: getPriority() }))
  },
}

serveJobs(async (job, limits) => {
  const trick = tricks[basename(job.source)]
  return trick ? trick(job) : performJob(job, limits)
})
