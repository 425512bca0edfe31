/** The pool of decoder processes: decides which job runs next, and starts and ends decoders. */
import { createFairQueue } from '../jobs/fair-queue.ts'
import { type Child, startChild } from './child.ts'
import { ImagesError } from './error.ts'
import type { Settings } from './options.ts'
import type { Job, Reply } from './protocol.ts'

/** The client of a job, and how urgent the job is. */
export interface Turn {
  client: string
  /** A client is waiting for the answer. */
  awaited: boolean
}

/**
 * Each job has a decoder to itself until the job ends. Clients take turns. Awaited jobs go first, and background jobs
 * never occupy all decoders. One client never occupies all decoders either: the last one is for another client.
 */
export interface Pool {
  run(job: Job, turn: Turn): Promise<Reply>
  /** Tells that a client now waits for the jobs of this turn. */
  hurry(turn: Turn): void
  /** Rejects all waiting and running jobs, and resolves when no decoder process is left. */
  close(): Promise<void>
}

interface Member {
  child: Child
  jobs: number
  /** The turn of the job that this decoder is doing now. */
  turn?: Turn
  idleTimer?: Timer
}

interface Waiting {
  job: Job
  turn: Turn
  resolve(reply: Reply): void
  reject(error: unknown): void
}

export function createPool(settings: Settings): Pool {
  // A member counts until its process has ended, because a dying decoder still holds its memory.
  const members = new Set<Member>()
  const idle: Member[] = []
  const queue = createFairQueue<Waiting>()
  let closed = false

  function next() {
    for (let waiting = choose(); waiting; waiting = choose()) {
      try {
        void serve(takeIdle() ?? open(), waiting)
      } catch (error) {
        waiting.reject(new ImagesError('crashed', `decoder did not start: ${error}`))
      }
    }
  }

  function choose(): Waiting | undefined {
    const { children } = settings
    const taken = members.size - idle.filter(({ child }) => child.usable).length
    if (taken >= children) return undefined
    const running = [...members].flatMap(({ turn }) => turn ?? [])
    const background = running.filter(turn => !turn.awaited)
    const heldBy = (client: string, among: Turn[]) => among.filter(turn => turn.client === client).length
    const allButOne = Math.max(1, children - 1)
    const allButTwo = Math.max(1, children - 2)

    function mayRun({ turn: { client, awaited } }: Waiting): boolean {
      if (heldBy(client, running) >= allButOne) return false
      // A client gets one decoder fewer for background jobs, so that they do not delay its own awaited jobs.
      return awaited || (background.length < allButOne && heldBy(client, background) < allButTwo)
    }

    const found = queue.take(waiting => waiting.turn.awaited && mayRun(waiting)) ?? queue.take(mayRun)
    return found?.item
  }

  /** Takes the decoder that became idle last, so that the others reach their idle time and free their memory. */
  function takeIdle(): Member | undefined {
    for (let member = idle.pop(); member; member = idle.pop()) {
      clearTimeout(member.idleTimer)
      if (member.child.usable) return member
    }
    return undefined
  }

  function open(): Member {
    const child = startChild(settings)
    const member: Member = { child, jobs: 0 }
    members.add(member)
    settings.onChild('started', child.pid)
    void child.exited.then(() => {
      members.delete(member)
      leaveIdle(member)
      settings.onChild('ended', child.pid)
      next()
    })
    return member
  }

  async function serve(member: Member, { job, turn, resolve, reject }: Waiting) {
    member.turn = turn
    try {
      const reply = await member.child.run(job)
      member.jobs++
      delete member.turn
      if (reply.spent || member.jobs >= settings.jobsPerChild || closed) member.child.stop('closed')
      else rest(member)
      resolve(reply)
      next()
    } catch (error) {
      reject(error)
    }
  }

  function rest(member: Member) {
    idle.push(member)
    member.idleTimer = setTimeout(() => {
      leaveIdle(member)
      member.child.stop('closed')
    }, settings.idleMs)
  }

  function leaveIdle(member: Member) {
    clearTimeout(member.idleTimer)
    const at = idle.indexOf(member)
    if (at >= 0) idle.splice(at, 1)
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
      next()
    },
    async close() {
      closed = true
      for (const { reject } of queue.drain()) reject(closing())
      const leaving = [...members]
      for (const { child } of leaving) child.stop('closed')
      await Promise.all(leaving.map(({ child }) => child.exited))
    },
  }
}

function closing(): ImagesError {
  return new ImagesError('closed', 'no more decoding: the service is stopping')
}
