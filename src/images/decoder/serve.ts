/** The main loop of the decoder process. */

import { entryPoint } from '../../base/program-files.ts'
import { isSystemError } from '../../base/system/error-code.ts'
import type { DecoderLimits } from '../options.ts'
import type { Answer, Job, JobKind, Reply } from '../protocol.ts'
import { killProcessGroup } from './end.ts'
import { lowerOwnPriority } from './priority.ts'
import type { WatchdogLimits } from './watchdog.ts'

/** Maximum number of characters of an error message in a reply. */
const MAX_REASON_CHARACTERS = 500
/** Share of the memory limit. A decoder that uses more after a job is replaced (`spent` in its reply). */
const SPENT_SHARE = 0.5

/** Does the jobs that the parent process sends, until the parent exits. */
export function serve(runJob: (job: Job, limits: DecoderLimits) => Promise<unknown> = performJob) {
  const limits = JSON.parse(process.argv[2]!) as DecoderLimits
  startWatchdog({ memoryBytes: limits.memoryBytes, parentPid: Number(process.argv[3]) })
  lowerOwnPriority()
  process.on('disconnect', killProcessGroup)
  process.on('message', async (job: Job) => {
    const outcome = await runJob(job, limits).then(answer => ({ answer }), errorReply)
    const spent = process.memoryUsage.rss() > limits.memoryBytes * SPENT_SHARE
    process.send!({ ...outcome, spent } satisfies Reply)
  })
}

/**
 * Starts the watchdog in a separate thread, because it must check the memory and the parent even while a
 * parser blocks this thread.
 */
function startWatchdog(limits: WatchdogLimits) {
  const watchdog = new Worker(entryPoint('decoderWatchdog').href)
  watchdog.onerror = killProcessGroup
  watchdog.postMessage(limits)
}

/**
 * Does a job. Throws if the decoder refuses the file, and on a file system error. A library is loaded by the
 * first job that needs it.
 */
export async function performJob(job: Job, limits: DecoderLimits): Promise<Answer<JobKind>> {
  switch (job.kind) {
    case 'picture':
      return (await exitUnlessLoaded(import('./picture.ts'))).measureAndScale(job, limits)
    case 'variant':
      return (await exitUnlessLoaded(import('./write-variant.ts'))).writeVariant(job, limits)
    case 'downscale':
      return (await exitUnlessLoaded(import('./downscale.ts'))).writeDownscaled(job, limits)
    case 'size':
      return (await exitUnlessLoaded(import('./size.ts'))).writeSize(job, limits)
    case 'media':
      return (await exitUnlessLoaded(import('./media.ts'))).measureAndPoster(job, limits)
  }
}

/**
 * A library that cannot be loaded says nothing about the picture, so the process exits and writes the reason
 * to stderr.
 */
function exitUnlessLoaded<T>(moduleImport: Promise<T>): Promise<T> {
  return moduleImport.catch(error => {
    console.error(error)
    return killProcessGroup()
  })
}

function errorReply(error: unknown) {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_CHARACTERS)
  return isSystemError(error) ? { system: { code: error.code, message } } : { refused: message }
}
