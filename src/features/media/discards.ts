/**
 * Removes discarded objects. They are on the discard list in the database, so a crash loses no entry. Each
 * object is kept for a short delay: a reader that has just read its row can still open it.
 */
import { MINUTE } from '../../contract/values/units.ts'
import { passedIn } from '../../database/deadline.ts'
import type { Coordination } from '../../jobs/coordination.ts'
import { IncompleteRun } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import { createKickedRuns, type KickedRuns } from './kicked-runs.ts'

const BATCH = 200

/**
 * Milliseconds from the time at which entries are due to the run that `kick` starts. An early run would leave
 * them to the job that runs every minute, and of several machines each knows the shared clock only roughly.
 */
const AFTER_DUE = { oneMachine: 1, severalMachines: 250 }

/**
 * A run removes the objects that are due, and returns their number. `kick` is called when the list has grown.
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
  const work = () => removeDue(parts, delay)
  const margin = parts.storage.isShared ? AFTER_DUE.severalMachines : AFTER_DUE.oneMachine
  const { run, kick, stop } = createKickedRuns({
    ...{ work, log },
    delay: delay + margin,
    failed: 'discarding failed',
  })
  return { dueAt: () => now() + delay, run, kick, stop }
}

/**
 * Removes the objects that are due. A run that `kick` has started does not hold the lease of the job, so two
 * processes may remove the same object and entry. That is harmless: removing an absent object is no error.
 */
async function removeDue(parts: Omit<DiscardsParts, 'delay'>, delay: number): Promise<number> {
  const { database, storage, coordination, log, now } = parts
  let removed = 0
  let remaining = 0
  for (let after = 0; ; ) {
    const due = await database.read
      .selectFrom('discard')
      .select(['nr', 'object'])
      .where(passedIn('due_at', now(), delay + MINUTE))
      .where('nr', '>', after)
      .orderBy('nr')
      .limit(BATCH)
      .execute()
    if (due.length === 0) break
    // A running backup still reads objects discarded after it began, so nothing is removed meanwhile; the
    // entries stay for a later run. The order matters: the list is read before the lease is checked. If no
    // backup runs then, every entry on the list was discarded before the next backup begins, so that backup
    // does not need the object.
    if (await coordination.isHeld('backup')) break
    await database.durable()
    after = due.at(-1)!.nr
    const stuck = await storage.removeAll(due.map(({ object }) => object))
    // Entries of objects that could not be removed stay on the list, and the run continues.
    for (const [object, cause] of stuck) log.warn('an object could not be removed', { object, cause })
    remaining += stuck.size
    const gone = due.filter(({ object }) => !stuck.has(object)).map(({ nr }) => nr)
    if (gone.length === 0) continue
    await database.transaction(tx => tx.deleteFrom('discard').where('nr', 'in', gone).execute())
    removed += gone.length
  }
  if (remaining > 0) throw new IncompleteRun(`${remaining} objects could not be removed`)
  return removed
}
