/** The main loop of the decoder process. */

import { entryPoint } from '../../base/program-files.ts'
import { isSystemError } from '../../base/system/error-code.ts'
import type { DecoderLimits } from '../options.ts'
import type { DecoderJob, DecoderReply, JobAnswer, JobKind } from '../protocol.ts'
import { killOwnProcessGroup } from './end.ts'
import { lowerOwnPriority } from './priority.ts'
import type { WatchdogLimits } from './watchdog.ts'

/** Maximum number of characters of an error message in a reply. */
const MAX_REASON_CHARACTERS = 500
/** If a decoder still uses more than this share of the memory limit after a job, it is replaced (`spent`). */
const SPENT_MEMORY_SHARE = 0.5

/** Does the jobs that the parent process sends, until the parent exits. */
export function serveJobs(runJob: (job: DecoderJob, limits: DecoderLimits) => Promise<unknown> = performJob) {
  const limits = JSON.parse(process.argv[2]!) as DecoderLimits
  startWatchdog({ memoryBytes: limits.memoryBytes, parentPid: Number(process.argv[3]) })
  lowerOwnPriority()
  process.on('disconnect', killOwnProcessGroup)
  process.on('message', async (job: DecoderJob) => {
    const outcome = await runJob(job, limits).then(answer => ({ answer }), errorReply)
    const spent = process.memoryUsage.rss() > limits.memoryBytes * SPENT_MEMORY_SHARE
    process.send!({ ...outcome, spent } satisfies DecoderReply)
  })
}

/**
 * Starts the watchdog in a separate thread, because it must check the memory and the parent even while a
 * parser blocks this thread.
 */
function startWatchdog(limits: WatchdogLimits) {
  const watchdog = new Worker(entryPoint('decoderWatchdog').href)
  watchdog.onerror = killOwnProcessGroup
  watchdog.postMessage(limits)
}

/**
 * Does a job. Throws if the decoder refuses the file, and on a file system error. A library is loaded by the
 * first job that needs it.
 */
export async function performJob(job: DecoderJob, limits: DecoderLimits): Promise<JobAnswer<JobKind>> {
  switch (job.kind) {
    case 'picture':
      return (await exitUnlessLoaded(import('./picture.ts'))).measureAndScale(job, limits)
    case 'variant':
      return (await exitUnlessLoaded(import('./write-variant.ts'))).writeVariant(job, limits)
    case 'downscale':
      return (await exitUnlessLoaded(import('./downscale.ts'))).writeDownscaledPicture(job, limits)
    case 'size':
      return (await exitUnlessLoaded(import('./size.ts'))).writeSizedPicture(job, limits)
    case 'media':
      return (await exitUnlessLoaded(import('./media.ts'))).measureAndMakePoster(job, limits)
  }
}

/**
 * A library that cannot be loaded says nothing about the picture, so the process exits and writes the reason
 * to stderr.
 */
function exitUnlessLoaded<T>(moduleImport: Promise<T>): Promise<T> {
  return moduleImport.catch(error => {
    console.error(error)
    return killOwnProcessGroup()
  })
}

function errorReply(error: unknown) {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_CHARACTERS)
  return isSystemError(error) ? { system: { code: error.code, message } } : { refused: message }
}
