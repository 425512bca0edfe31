/**
 * Coordination by leases in the database: each row of the table `lease` has the name of a lease (`task`), its
 * holder, and the time at which it expires. The holder renews the lease while it works; the lease of a dead
 * process expires. `now` is the clock that all processes on the database share (`adapters.ts`).
 */

import type { NewId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { DAY } from '../contract/values/units.ts'
import type { Database, Queries } from '../database/database.ts'
import { deadlinePassedCondition } from '../database/deadline.ts'
import type { Coordination, LeaseName } from './coordination.ts'

/** Milliseconds for which a lease is valid unless it is renewed, and milliseconds between two renewals. */
const LEASE_TIME = 30_000
const RENEWAL_INTERVAL = 8_000

interface LeasesParts {
  database: Database
  newId: NewId
  now: () => number
  log: Log
  /** Milliseconds; shorter than the defaults for leases of derived files, and in tests. */
  leaseTime?: number
  renewalInterval?: number
}

export type Leases = ReturnType<typeof createLeases>

export function createLeases(parts: LeasesParts) {
  const { database, newId, now, log, leaseTime = LEASE_TIME, renewalInterval = RENEWAL_INTERVAL } = parts
  // A lease with more time left than this was taken by a process with a wrong clock, and counts as expired.
  // If that process is alive, it renews the lease or notices that it has lost it.
  const maxRemainingTime = 2 * leaseTime

  /**
   * Renews the lease regularly until the returned timer is cleared. Aborts `lossController` when another
   * holder has the lease, or may have it.
   */
  function keepRenewing(task: LeaseName, holder: string, lossController: AbortController): Timer {
    let validUntil = now() + leaseTime
    return setInterval(() => {
      const requestedAt = now()
      database
        .transaction(tx => renewLease(tx, task, holder, now() + leaseTime))
        .then(
          isHolder => {
            if (isHolder) validUntil = requestedAt + leaseTime
            else lossController.abort(new Error(`the task ${task} has gone to another process`))
          },
          error => {
            log.warn('a task could not be prolonged', { task, cause: error })
            if (now() >= validUntil)
              lossController.abort(new Error(`the task ${task} could not be prolonged in time`))
          },
        )
    }, renewalInterval)
  }

  /** When the lease will expire unless it is renewed (Unix milliseconds); null if nobody holds it. */
  async function heldUntil(task: LeaseName): Promise<number | null> {
    const row = await database.read
      .selectFrom('lease')
      .select('until')
      .where('task', '=', task)
      .where(({ not }) => not(deadlinePassedCondition('until', now(), maxRemainingTime)))
      .executeTakeFirst()
    return row?.until ?? null
  }

  const coordination: Coordination = {
    isHeld: async task => (await heldUntil(task)) !== null,
    async exclusively(task, work) {
      // Each call has a holder id of its own, so that two calls in one process exclude each other.
      const holder = newId()
      const takenAt = now()
      const times = { takenAt, validUntil: takenAt + leaseTime, maxRemainingTime }
      if (!(await database.transaction(tx => takeLease(tx, task, holder, times)))) return null
      const lossController = new AbortController()
      const timer = keepRenewing(task, holder, lossController)
      try {
        return { result: await work(lossController.signal) }
      } finally {
        clearInterval(timer)
        // The work is done. If the lease cannot be released, it expires.
        await database
          .transaction(tx => releaseLease(tx, task, holder, now()))
          .catch(error => log.warn('a task could not be released', { task, cause: error }))
      }
    },
  }
  return { ...coordination, heldUntil }
}

/** Takes the lease for this holder; false if another holder has it. */
async function takeLease(
  tx: Queries,
  task: LeaseName,
  holder: string,
  {
    takenAt,
    validUntil,
    maxRemainingTime,
  }: { takenAt: number; validUntil: number; maxRemainingTime: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('lease')
    .values({ task, holder, until: validUntil })
    .onConflict(conflict =>
      conflict
        .column('task')
        .doUpdateSet({ holder, until: validUntil })
        .where(deadlinePassedCondition('lease.until', takenAt, maxRemainingTime)),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Renews the lease; false if this holder no longer has it. */
async function renewLease(
  tx: Queries,
  task: LeaseName,
  holder: string,
  validUntil: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('lease')
    .set({ until: validUntil })
    .where('task', '=', task)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Releases the lease. Also removes all leases that expired more than a day ago: a lease that is named after a
 * file (`derive <id>`) would otherwise stay for ever if its process died and the file was deleted.
 */
async function releaseLease(tx: Queries, task: LeaseName, holder: string, releasedAt: number): Promise<void> {
  await tx
    .deleteFrom('lease')
    .where(({ or, and, eb }) =>
      or([and([eb('task', '=', task), eb('holder', '=', holder)]), eb('until', '<', releasedAt - DAY)]),
    )
    .execute()
}
