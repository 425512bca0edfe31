/** The pool of decoder processes: decides which job runs next, and starts and ends decoders. */

import { weighSession } from '../base/priority.ts'
import { createFairQueue } from '../jobs/fair-queue.ts'
import type { Child, StartDecoder } from './child.ts'
import { NICENESS } from './decoder/priority.ts'
import { ImagesError } from './error.ts'
import type { Settings } from './options.ts'
import type { Job, Reply } from './protocol.ts'

interface WaitingJob {
  job: Job
  turn: Turn
  resolve(reply: Reply): void
  reject(error: unknown): void
}

/**
 * Niceness of a decoder while a client waits for its job. With 10, a busy machine makes no preview in time;
 * with 0, readers of other files wait twice as long (decision 0024).
 */
const AWAITED_NICENESS = 5

/** For which client a job is done, and whether the client waits for it. */
export interface Turn {
  client: string
  /** Whether a client is waiting for the result. */
  awaited: boolean
}

/**
 * Each job has a decoder of its own. Clients are served in turn. Awaited jobs are preferred; background jobs
 * never occupy all decoders, unless there are only two and one has been busy for long. One client never
 * occupies all decoders either.
 */
export function createPool(settings: Settings, startDecoder: StartDecoder) {
  const decoders = createDecoders(settings, startDecoder, startNext)
  const queue = createFairQueue<WaitingJob>()
  let closed = false

  function startNext() {
    for (let waiting = choose(); waiting; waiting = choose()) {
      try {
        void serve(decoders.take(waiting.turn), waiting)
      } catch (error) {
        waiting.reject(new ImagesError('crashed', `decoder did not start: ${error}`))
      }
    }
  }

  function choose(): WaitingJob | undefined {
    if (!decoders.hasFree()) return undefined
    const mayRun = admissionBeside(decoders.running(), settings.children)
    const isAwaited = ({ turn }: WaitingJob) => turn.awaited && mayRun(turn)
    return (queue.take(isAwaited) ?? queue.take(({ turn }) => mayRun(turn)))?.item
  }

  async function serve(decoder: Decoder, { job, resolve, reject }: WaitingJob) {
    try {
      const reply = await decoder.child.run(job)
      decoders.giveBack(decoder, reply.spent || closed)
      resolve(reply)
      startNext()
    } catch (error) {
      reject(error)
    }
  }

  return {
    run(job: Job, turn: Turn): Promise<Reply> {
      if (closed) return Promise.reject(closedError())
      return new Promise((resolve, reject) => {
        queue.add(turn.client, { job, turn, resolve, reject })
        startNext()
      })
    },
    /**
     * Called when a client begins to wait for the jobs with this `turn`: queued and running ones get a higher
     * priority.
     */
    hurry(turn: Turn) {
      turn.awaited = true
      decoders.hurry(turn)
      startNext()
    },
    /** Rejects all jobs, and resolves when no decoder process is left. */
    async close() {
      closed = true
      for (const { reject } of queue.drain()) reject(closedError())
      await decoders.close()
    },
  }
}

function closedError(): ImagesError {
  return new ImagesError('closed', 'no more decoding: the service is stopping')
}

/** Returns a function that decides whether a job may start beside the `running` ones. */
function admissionBeside(running: readonly RunningJob[], children: number): (turn: Turn) => boolean {
  const background = running.filter(({ turn }) => !turn.awaited)
  const quick = background.filter(({ isLong }) => !isLong)
  const heldBy = (client: string, among: readonly RunningJob[]) =>
    among.filter(({ turn }) => turn.client === client).length
  const allButOne = Math.max(1, children - 1)
  const allButTwo = Math.max(1, children - 2)
  // With two decoders, one is for background jobs. While a long job occupies it, other background jobs may
  // use the second one, so that they are not held up; an awaited job may then wait for a short one.
  const mostInBackground = Math.max(2, allButOne)
  return ({ client, awaited }) => {
    if (heldBy(client, running) >= allButOne) return false
    if (awaited) return true
    if (quick.length >= allButOne || background.length >= mostInBackground) return false
    // A client's background jobs may occupy one decoder fewer, so that they do not delay its own awaited
    // jobs.
    return heldBy(client, background) < allButTwo
  }
}

interface RunningJob {
  turn: Turn
  /** Whether the job has taken longer than nearly every picture does. */
  isLong: boolean
  longTimer: Timer
}

interface Decoder {
  child: Child
  jobs: number
  running?: RunningJob
  idleTimer?: Timer
  /** Niceness that the decoder's session has now. */
  niceness?: number
}

/**
 * Starts decoders when needed and ends idle or worn-out ones. `onRoom` is called when another job may start.
 */
function createDecoders(settings: Settings, startDecoder: StartDecoder, onRoom: () => void) {
  // A decoder is counted until its process has exited, because it holds its memory until then.
  const all = new Set<Decoder>()
  const idle: Decoder[] = []

  function removeFromIdle(decoder: Decoder) {
    clearTimeout(decoder.idleTimer)
    const at = idle.indexOf(decoder)
    if (at >= 0) idle.splice(at, 1)
  }

  function begin(turn: Turn): RunningJob {
    const longTimer = setTimeout(() => {
      running.isLong = true
      onRoom()
    }, settings.longMs)
    const running: RunningJob = { turn, isLong: false, longTimer }
    return running
  }

  function endJob(decoder: Decoder) {
    clearTimeout(decoder.running?.longTimer)
    delete decoder.running
  }

  function weigh(decoder: Decoder, { awaited }: Turn) {
    const niceness = awaited ? AWAITED_NICENESS : NICENESS
    if (decoder.niceness !== niceness && weighSession(decoder.child.pid, niceness))
      decoder.niceness = niceness
  }

  function start(): Decoder {
    const child = startDecoder(settings)
    const decoder: Decoder = { child, jobs: 0 }
    all.add(decoder)
    settings.onChild('started', child.pid)
    void child.exited.then(() => {
      all.delete(decoder)
      removeFromIdle(decoder)
      endJob(decoder)
      settings.onChild('ended', child.pid)
      onRoom()
    })
    return decoder
  }

  return {
    hasFree: () => all.size - idle.filter(({ child }) => child.usable).length < settings.children,
    running: () => [...all].flatMap(({ running }) => running ?? []),
    /**
     * Takes the decoder that became idle last, so that the others reach their idle time and free their
     * memory.
     */
    take(turn: Turn): Decoder {
      const decoder = idle.findLast(({ child }) => child.usable) ?? start()
      removeFromIdle(decoder)
      weigh(decoder, turn)
      return Object.assign(decoder, { running: begin(turn) })
    },
    /** Gives the running jobs of this turn the processor priority of awaited jobs. */
    hurry(turn: Turn) {
      for (const decoder of all) if (decoder.running?.turn === turn) weigh(decoder, turn)
    },
    giveBack(decoder: Decoder, isWornOut: boolean) {
      endJob(decoder)
      decoder.jobs++
      if (isWornOut || decoder.jobs >= settings.jobsPerChild) return decoder.child.stop('closed')
      idle.push(decoder)
      decoder.idleTimer = setTimeout(() => {
        removeFromIdle(decoder)
        decoder.child.stop('closed')
      }, settings.idleMs)
    },
    async close() {
      const leaving = [...all]
      for (const { child } of leaving) child.stop('closed')
      await Promise.all(leaving.map(({ child }) => child.exited))
    },
  }
}
