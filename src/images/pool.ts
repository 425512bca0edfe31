/** The pool of decoder processes: decides which job runs next, and starts and ends decoders. */

import { weighSession } from '../base/priority.ts'
import { createFairQueue } from '../jobs/fair-queue.ts'
import type { Child, StartDecoder } from './child.ts'
import { NICENESS } from './decoder/priority.ts'
import { ImagesError } from './error.ts'
import type { Settings } from './options.ts'
import type { Job, Reply } from './protocol.ts'

/**
 * Of a decoder's session while somebody waits for its job. At 10 a busy machine leaves it so little that
 * nobody gets a preview in time, at 0 readers of other files wait twice as long (decision 0024).
 */
const AWAITED_NICENESS = 5

/** The client of a job, and how urgent the job is. */
export interface Turn {
  client: string
  /** A client is waiting for the answer. */
  awaited: boolean
}

/**
 * Each job has a decoder to itself until the job ends. Clients take turns. Awaited jobs go first, and
 * background jobs never occupy all decoders, unless there are only two and one has been busy for long. One
 * client never occupies all decoders either: the last one is for another client.
 */
interface Pool {
  run(job: Job, turn: Turn): Promise<Reply>
  /** Tells that a client now waits for the jobs of this turn. */
  hurry(turn: Turn): void
  /** Rejects all waiting and running jobs, and resolves when no decoder process is left. */
  close(): Promise<void>
}

interface Waiting {
  job: Job
  turn: Turn
  resolve(reply: Reply): void
  reject(error: unknown): void
}

export function createPool(settings: Settings, startDecoder: StartDecoder): Pool {
  const decoders = createDecoders(settings, startDecoder, next)
  const queue = createFairQueue<Waiting>()
  let closed = false

  function next() {
    for (let waiting = choose(); waiting; waiting = choose()) {
      try {
        void serve(decoders.take(waiting.turn), waiting)
      } catch (error) {
        waiting.reject(new ImagesError('crashed', `decoder did not start: ${error}`))
      }
    }
  }

  function choose(): Waiting | undefined {
    if (!decoders.hasFree()) return undefined
    const mayRun = admissionBeside(decoders.running(), settings.children)
    const isAwaited = ({ turn }: Waiting) => turn.awaited && mayRun(turn)
    return (queue.take(isAwaited) ?? queue.take(({ turn }) => mayRun(turn)))?.item
  }

  async function serve(decoder: Decoder, { job, resolve, reject }: Waiting) {
    try {
      const reply = await decoder.child.run(job)
      decoders.giveBack(decoder, reply.spent || closed)
      resolve(reply)
      next()
    } catch (error) {
      reject(error)
    }
  }

  return {
    run(job, turn) {
      if (closed) return Promise.reject(closing())
      return new Promise((resolve, reject) => {
        queue.add(turn.client, { job, turn, resolve, reject })
        next()
      })
    },
    hurry(turn) {
      turn.awaited = true
      decoders.hurry(turn)
      next()
    },
    async close() {
      closed = true
      for (const { reject } of queue.drain()) reject(closing())
      await decoders.close()
    },
  }
}

function closing(): ImagesError {
  return new ImagesError('closed', 'no more decoding: the service is stopping')
}

/** Answers which jobs may begin while the jobs `running` have a decoder. */
function admissionBeside(running: readonly Running[], children: number): (turn: Turn) => boolean {
  const background = running.filter(({ turn }) => !turn.awaited)
  const quick = background.filter(({ isLong }) => !isLong)
  const heldBy = (client: string, among: readonly Running[]) =>
    among.filter(({ turn }) => turn.client === client).length
  const allButOne = Math.max(1, children - 1)
  const allButTwo = Math.max(1, children - 2)
  // Of two decoders one is for background jobs. A long job there would hold up those of all other clients, so
  // it leaves them the second decoder, where an awaited job then waits for a usual job.
  const mostInBackground = Math.max(2, allButOne)
  return ({ client, awaited }) => {
    if (heldBy(client, running) >= allButOne) return false
    if (awaited) return true
    if (quick.length >= allButOne || background.length >= mostInBackground) return false
    // A client gets one decoder fewer for background jobs, so that they do not delay its own awaited jobs.
    return heldBy(client, background) < allButTwo
  }
}

/** A job that has a decoder. */
interface Running {
  turn: Turn
  /** The job has taken longer than nearly every picture does. */
  isLong: boolean
  longTimer: Timer
}

interface Decoder {
  child: Child
  jobs: number
  /** The job that this decoder is doing now. */
  running?: Running
  idleTimer?: Timer
  /** That of its session. */
  niceness?: number
}

/**
 * The decoder processes: starts them when they are needed and ends them when they are idle or worn out.
 * `onRoom` is called when another job may perhaps begin.
 */
function createDecoders(settings: Settings, startDecoder: StartDecoder, onRoom: () => void) {
  // A decoder counts until its process has ended, because a dying decoder still holds its memory.
  const all = new Set<Decoder>()
  const idle: Decoder[] = []

  function leaveIdle(decoder: Decoder) {
    clearTimeout(decoder.idleTimer)
    const at = idle.indexOf(decoder)
    if (at >= 0) idle.splice(at, 1)
  }

  function begin(turn: Turn): Running {
    const longTimer = setTimeout(() => {
      running.isLong = true
      onRoom()
    }, settings.longMs)
    const running: Running = { turn, isLong: false, longTimer }
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
      leaveIdle(decoder)
      endJob(decoder)
      settings.onChild('ended', child.pid)
      onRoom()
    })
    return decoder
  }

  return {
    hasFree: () => all.size - idle.filter(({ child }) => child.usable).length < settings.children,
    /** The jobs that are being done now. */
    running: () => [...all].flatMap(({ running }) => running ?? []),
    /**
     * Takes the decoder that became idle last, so that the others reach their idle time and free their
     * memory.
     */
    take(turn: Turn): Decoder {
      const decoder = idle.findLast(({ child }) => child.usable) ?? start()
      leaveIdle(decoder)
      weigh(decoder, turn)
      return Object.assign(decoder, { running: begin(turn) })
    },
    /** Somebody waits for the jobs of this turn now. */
    hurry(turn: Turn) {
      for (const decoder of all) if (decoder.running?.turn === turn) weigh(decoder, turn)
    },
    giveBack(decoder: Decoder, isWornOut: boolean) {
      endJob(decoder)
      decoder.jobs++
      if (isWornOut || decoder.jobs >= settings.jobsPerChild) return decoder.child.stop('closed')
      idle.push(decoder)
      decoder.idleTimer = setTimeout(() => {
        leaveIdle(decoder)
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
