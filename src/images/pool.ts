import { type Child, startChild } from './child.ts'
import { ImagesError } from './error.ts'
import type { Settings } from './options.ts'
import type { Job, Reply } from './protocol.ts'

/** Jobs in the order they came, each in a decoder of its own for as long as it takes. */
export interface Pool {
  run(job: Job): Promise<Reply>
  /** Rejects what waits and runs, and resolves when no process is left. */
  close(): Promise<void>
}

interface Member {
  child: Child
  jobs: number
  idleTimer?: Timer
}

interface Waiting {
  job: Job
  resolve(reply: Reply): void
  reject(error: unknown): void
}

export function createPool(settings: Settings): Pool {
  // A member counts until its process has ended: a dying decoder still holds its memory.
  const members = new Set<Member>()
  const idle: Member[] = []
  const queue: Waiting[] = []
  let closed = false

  function next() {
    while (queue.length > 0) {
      const rested = takeIdle()
      if (!rested && members.size >= settings.children) return
      const waiting = queue.shift()!
      try {
        void serve(rested ?? open(), waiting)
      } catch (error) {
        waiting.reject(new ImagesError('crashed', `decoder did not start: ${error}`))
      }
    }
  }

  /** Newest first: the others may reach their idle time and give their memory back. */
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

  async function serve(member: Member, { job, resolve, reject }: Waiting) {
    try {
      const reply = await member.child.run(job)
      member.jobs++
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
    run(job) {
      if (closed) return Promise.reject(closing())
      return new Promise((resolve, reject) => {
        queue.push({ job, resolve, reject })
        next()
      })
    },
    async close() {
      closed = true
      for (const { reject } of queue.splice(0)) reject(closing())
      const leaving = [...members]
      for (const { child } of leaving) child.stop('closed')
      await Promise.all(leaving.map(({ child }) => child.exited))
    },
  }
}

function closing(): ImagesError {
  return new ImagesError('closed', 'no more decoding: the service is stopping')
}
