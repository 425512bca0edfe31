/**
 * Coordination by leases in the database: a row says which holder has a task, and until when. The holder extends the
 * lease while it works, so the task of a process that died becomes free by itself. The clocks of several machines must
 * agree to within some seconds, as they do where the system synchronizes them.
 */
import type { Database } from '../database/database.ts'
import type { NewId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Coordination, Task } from './coordination.ts'

/** Milliseconds that a task stays taken after its holder last renewed the lease, and between two renewals. */
const LEASE = 30_000
const RENEWAL = 8_000

export interface LeasesParts {
  database: Database
  newId: NewId
  now: () => number
  log: Log
  lease?: number
  renewal?: number
}

export function createLeases(parts: LeasesParts): Coordination {
  const { database, newId, now, log, lease = LEASE, renewal = RENEWAL } = parts

  /** True when this holder has the task from now on. */
  function take(task: Task, holder: string): Promise<boolean> {
    const [at, until] = [now(), now() + lease]
    return database.transaction(async tx => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('lease')
        .values({ task, holder, until })
        .onConflict(conflict =>
          conflict.column('task').doUpdateSet({ holder, until }).where('lease.until', '<=', at),
        )
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    })
  }

  /** False when another holder has taken the task meanwhile. */
  function renew(task: Task, holder: string): Promise<boolean> {
    return database.transaction(async tx => {
      const { numUpdatedRows } = await tx
        .updateTable('lease')
        .set({ until: now() + lease })
        .where('task', '=', task)
        .where('holder', '=', holder)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    })
  }

  const release = (task: Task, holder: string) =>
    database.transaction(tx =>
      tx.deleteFrom('lease').where('task', '=', task).where('holder', '=', holder).execute(),
    )

  return {
    async exclusively(task, work) {
      // Each call is a holder of its own, so that two calls in one process exclude each other like two processes.
      const holder = newId()
      if (!(await take(task, holder))) return null
      const lost = new AbortController()
      let until = now() + lease
      const timer = setInterval(() => {
        const asked = now()
        renew(task, holder).then(
          held => {
            if (held) until = asked + lease
            else lost.abort(new Error(`the task ${task} has gone to another process`))
          },
          error => {
            log.warn('a task could not be prolonged', { task, cause: error })
            if (now() >= until) lost.abort(new Error(`the task ${task} could not be prolonged in time`))
          },
        )
      }, renewal)
      try {
        return { result: await work(lost.signal) }
      } finally {
        clearInterval(timer)
        // The work itself is done. A lease that cannot be released expires by time.
        await release(task, holder).catch(error =>
          log.warn('a task could not be released', { task, cause: error }),
        )
      }
    },

    async isHeld(task) {
      const held = await database.read
        .selectFrom('lease')
        .select('until')
        .where('task', '=', task)
        .where('until', '>', now())
        .executeTakeFirst()
      return held !== undefined
    },
  }
}
