/** The pool of decoder processes: decides which job runs next, and starts and ends decoders. */

import { setSessionNiceness } from '../base/system/priority.ts'
import { createFairQueue } from '../jobs/fair-queue.ts'
import type { DecoderProcess, StartDecoder } from './child.ts'
import { DECODER_NICENESS } from './decoder/priority.ts'
import { ImagesError } from './error.ts'
import type { DecodingSettings } from './options.ts'
import type { DecoderJob, DecoderReply } from './protocol.ts'

interface WaitingJob {
  job: DecoderJob
  requester: Requester
  resolve(reply: DecoderReply): void
  reject(error: unknown): void
}

/**
 * Niceness of a decoder while a client waits for its job. With 10, a busy machine makes no preview in time;
 * with 0, readers of other files wait twice as long (decision 0024).
 */
const AWAITED_NICENESS = 5

/** The client for which a job is done, and whether it waits. One object may be used for several jobs. */
export interface Requester {
  client: string
  /** Whether a client is waiting for the result. */
  isAwaited: boolean
}

/**
 * Each running job has a decoder of its own. The clients take turns. Jobs that a client waits for are
 * preferred to background jobs. If there are several decoders, neither the jobs of one client nor all
 * background jobs together may occupy every decoder. There is one exception: if there are only two decoders,
 * background jobs of different clients may occupy both while one of these jobs is long (`longJobMs`).
 */
export function createDecoderPool(settings: DecodingSettings, startDecoder: StartDecoder) {
  const decoders = createDecoders(settings, startDecoder, startNext)
  const queue = createFairQueue<WaitingJob>()
  let isClosed = false

  function startNext() {
    for (let nextJob = chooseJob(); nextJob; nextJob = chooseJob()) {
      try {
        void runJob(decoders.take(nextJob.requester), nextJob)
      } catch (error) {
        nextJob.reject(new ImagesError('crashed', `decoder did not start: ${error}`))
      }
    }
  }

  function chooseJob(): WaitingJob | undefined {
    if (!decoders.hasFreeDecoder()) return undefined
    const mayRun = createAdmissionCheck(decoders.runningJobs(), settings.maxDecoders)
    const mayRunAwaited = ({ requester }: WaitingJob) => requester.isAwaited && mayRun(requester)
    return (queue.take(mayRunAwaited) ?? queue.take(({ requester }) => mayRun(requester)))?.item
  }

  async function runJob(decoder: Decoder, { job, resolve, reject }: WaitingJob) {
    try {
      const reply = await decoder.child.run(job)
      decoders.giveBack(decoder, reply.spent || isClosed)
      resolve(reply)
      startNext()
    } catch (error) {
      reject(error)
    }
  }

  return {
    run(job: DecoderJob, requester: Requester): Promise<DecoderReply> {
      if (isClosed) return Promise.reject(closedError())
      return new Promise((resolve, reject) => {
        queue.add(requester.client, { job, requester, resolve, reject })
        startNext()
      })
    },
    /**
     * Called when a client begins to wait for the jobs with this `requester` object: gives the queued and the
     * running ones a higher priority.
     */
    prioritize(requester: Requester) {
      requester.isAwaited = true
      decoders.prioritize(requester)
      startNext()
    },
    /** Rejects all queued and running jobs, and resolves when no decoder process is left. */
    async close() {
      isClosed = true
      for (const { reject } of queue.drain()) reject(closedError())
      await decoders.close()
    },
  }
}

function closedError(): ImagesError {
  return new ImagesError('closed', 'no more decoding: the service is stopping')
}

/** Returns a function that decides whether another job may start beside `runningJobs`. */
function createAdmissionCheck(
  runningJobs: readonly RunningJob[],
  maxDecoders: number,
): (requester: Requester) => boolean {
  const backgroundJobs = runningJobs.filter(({ requester }) => !requester.isAwaited)
  const shortBackgroundJobs = backgroundJobs.filter(({ isLong }) => !isLong)
  const countOfClient = (client: string, jobs: readonly RunningJob[]) =>
    jobs.filter(({ requester }) => requester.client === client).length
  const allButOne = Math.max(1, maxDecoders - 1)
  const allButTwo = Math.max(1, maxDecoders - 2)
  // If there are only two decoders, background jobs normally occupy one of them. While that one has a long
  // job, a short background job may use the other decoder instead of waiting. An awaited job may then have to
  // wait for the short job.
  const maxBackground = Math.max(2, allButOne)
  return ({ client, isAwaited }) => {
    if (countOfClient(client, runningJobs) >= allButOne) return false
    if (isAwaited) return true
    if (shortBackgroundJobs.length >= allButOne || backgroundJobs.length >= maxBackground) return false
    // The background jobs of one client may occupy one decoder fewer than all its jobs, so that they do not
    // delay its awaited jobs.
    return countOfClient(client, backgroundJobs) < allButTwo
  }
}

interface RunningJob {
  requester: Requester
  /** Whether the job has been running for longer than `longJobMs`. */
  isLong: boolean
  longTimer: Timer
}

interface Decoder {
  child: DecoderProcess
  jobCount: number
  runningJob?: RunningJob
  idleTimer?: Timer
  /** Niceness that the processes of the decoder have now; undefined if it was never set. */
  niceness?: number
}

/**
 * Starts decoders when needed. Stops those that have been idle too long, that report that they use too much
 * memory (`spent`), or that have run `jobsPerDecoder` jobs. `onCapacityFreed` is called when another job may
 * be able to start.
 */
function createDecoders(settings: DecodingSettings, startDecoder: StartDecoder, onCapacityFreed: () => void) {
  // A decoder is counted until its process has exited, because it holds its memory until then.
  const allDecoders = new Set<Decoder>()
  const idleDecoders: Decoder[] = []

  function removeFromIdle(decoder: Decoder) {
    clearTimeout(decoder.idleTimer)
    const index = idleDecoders.indexOf(decoder)
    if (index >= 0) idleDecoders.splice(index, 1)
  }

  function createRunningJob(requester: Requester): RunningJob {
    const longTimer = setTimeout(() => {
      runningJob.isLong = true
      onCapacityFreed()
    }, settings.longJobMs)
    const runningJob: RunningJob = { requester, isLong: false, longTimer }
    return runningJob
  }

  function endJob(decoder: Decoder) {
    clearTimeout(decoder.runningJob?.longTimer)
    delete decoder.runningJob
  }

  function setPriority(decoder: Decoder, { isAwaited }: Requester) {
    const niceness = isAwaited ? AWAITED_NICENESS : DECODER_NICENESS
    if (decoder.niceness !== niceness && setSessionNiceness(decoder.child.pid, niceness))
      decoder.niceness = niceness
  }

  function startDecoderProcess(): Decoder {
    const child = startDecoder(settings)
    const decoder: Decoder = { child, jobCount: 0 }
    allDecoders.add(decoder)
    settings.onChildEvent('started', child.pid)
    void child.exited.then(() => {
      allDecoders.delete(decoder)
      removeFromIdle(decoder)
      endJob(decoder)
      settings.onChildEvent('ended', child.pid)
      onCapacityFreed()
    })
    return decoder
  }

  return {
    hasFreeDecoder: () =>
      allDecoders.size - idleDecoders.filter(({ child }) => child.isUsable).length < settings.maxDecoders,
    runningJobs: () => [...allDecoders].flatMap(({ runningJob }) => runningJob ?? []),
    /**
     * Takes the decoder that became idle last, or starts one. The other idle decoders can then time out
     * and free their memory.
     */
    take(requester: Requester): Decoder {
      const decoder = idleDecoders.findLast(({ child }) => child.isUsable) ?? startDecoderProcess()
      removeFromIdle(decoder)
      setPriority(decoder, requester)
      return Object.assign(decoder, { runningJob: createRunningJob(requester) })
    },
    /** Gives the running jobs with this `requester` object the processor priority of awaited jobs. */
    prioritize(requester: Requester) {
      for (const decoder of allDecoders)
        if (decoder.runningJob?.requester === requester) setPriority(decoder, requester)
    },
    giveBack(decoder: Decoder, isSpent: boolean) {
      endJob(decoder)
      decoder.jobCount++
      if (isSpent || decoder.jobCount >= settings.jobsPerDecoder) return decoder.child.stop('closed')
      idleDecoders.push(decoder)
      decoder.idleTimer = setTimeout(() => {
        removeFromIdle(decoder)
        decoder.child.stop('closed')
      }, settings.idleMs)
    },
    async close() {
      const stoppedDecoders = [...allDecoders]
      for (const { child } of stoppedDecoders) child.stop('closed')
      await Promise.all(stoppedDecoders.map(({ child }) => child.exited))
    },
  }
}
