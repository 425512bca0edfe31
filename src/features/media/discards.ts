/**
 * Removes discarded objects. They are on the discard list in the database, so a crash loses no entry. Each
 * object is kept for a short delay, so that a request that has just read the row of a file can still open the
 * object.
 */

import { CLOCK_MARGIN, deadlinePassedCondition } from '../../database/deadline.ts'
import type { Coordination } from '../../jobs/coordination.ts'
import { IncompleteRunError } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import { createKickedRuns, type KickedRuns } from './kicked-runs.ts'

const BATCH_SIZE = 200

/**
 * Milliseconds from the time at which entries are due to the run that `kick` schedules for them. If the run
 * began too early, the entries would have to wait for the job that runs every minute. With several machines
 * the margin is larger, because each machine knows the shared clock only roughly.
 */
const DUE_MARGIN = { oneMachine: 1, severalMachines: 250 }

/**
 * A run removes the objects that are due, and returns the number of removed objects; while a backup is
 * running, it removes nothing. `kick` is called when objects were added to the discard list.
 */
export interface Discards extends KickedRuns {
  /** The time from which an object that is discarded now may be removed. */
  dueAt(): number
}

export interface DiscardsParts extends Pick<FeatureParts, 'database' | 'storage' | 'log' | 'now'> {
  /** Milliseconds from discarding an object to removing it. */
  delay: number
  coordination: Pick<Coordination, 'isHeld'>
}

export function createDiscards({ delay, ...parts }: DiscardsParts): Discards {
  const { now, log } = parts
  const task = () => removeDueObjects(parts, delay)
  const margin = parts.storage.isShared ? DUE_MARGIN.severalMachines : DUE_MARGIN.oneMachine
  const { run, kick, stop } = createKickedRuns({
    task,
    log,
    delay: delay + margin,
    failureText: 'discarding failed',
  })
  return { dueAt: () => now() + delay, run, kick, stop }
}

/**
 * Removes the objects that are due. The scheduled job takes a lease, but a run that `kick` starts does not,
 * so two processes may remove the same object and entry. That is harmless: removing an absent object is no
 * error.
 */
async function removeDueObjects(parts: Omit<DiscardsParts, 'delay'>, delay: number): Promise<number> {
  const { database, storage, coordination, log, now } = parts
  let removedCount = 0
  let failedCount = 0
  for (let afterNr = 0; ; ) {
    const dueEntries = await database.read
      .selectFrom('discard')
      .select(['nr', 'object'])
      .where(deadlinePassedCondition('due_at', now(), delay + CLOCK_MARGIN))
      .where('nr', '>', afterNr)
      .orderBy('nr')
      .limit(BATCH_SIZE)
      .execute()
    if (dueEntries.length === 0) break
    // A running backup still reads objects discarded after it began, so nothing is removed meanwhile; the
    // entries stay for a later run. The order matters: the list is read before we check whether a backup
    // holds its lease. If no backup is running at the time of the check, every entry that was read was
    // discarded before the next backup begins, so that backup does not need its object.
    if (await coordination.isHeld('backup')) break
    await database.waitUntilDurable()
    afterNr = dueEntries.at(-1)!.nr
    const errorsByObject = await storage.removeAll(dueEntries.map(({ object }) => object))
    // Entries of objects that could not be removed stay on the list, and the run continues.
    for (const [object, cause] of errorsByObject)
      log.warn('an object could not be removed', { object, cause })
    failedCount += errorsByObject.size
    const removedNumbers = dueEntries.filter(({ object }) => !errorsByObject.has(object)).map(({ nr }) => nr)
    if (removedNumbers.length === 0) continue
    await database.transaction(tx => tx.deleteFrom('discard').where('nr', 'in', removedNumbers).execute())
    removedCount += removedNumbers.length
  }
  if (failedCount > 0) throw new IncompleteRunError(`${failedCount} objects could not be removed`)
  return removedCount
}
