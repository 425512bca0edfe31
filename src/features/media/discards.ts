/**
 * Removes objects that transactions have let go. These objects stand on the discard list in the database, so
 * a crash loses no entry. Each object stays for a short delay: a reader that looked up the row just before
 * can still open it.
 */
import { MINUTE } from '../../contract/values/units.ts'
import { passedIn } from '../../database/deadline.ts'
import type { Coordination } from '../../jobs/coordination.ts'
import { IncompleteRun } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import { createKickedRuns, type KickedRuns } from './kicked-runs.ts'

const BATCH = 200

/**
 * Milliseconds by which a kicked run comes after the entries are due. A run that came too early would leave
 * them to the minutely job, and of the clock that several machines have in common each knows only roughly
 * what it shows.
 */
const AFTER_DUE = { oneMachine: 1, severalMachines: 250 }

/**
 * A run removes the objects that are due, and answers their number. `kick` is for a list that has grown: its
 * run starts once the new entries are due.
 */
export interface Discards extends KickedRuns {
  /** The time from which an object that is let go now may be removed. */
  dueAt(): number
}

export interface DiscardsParts extends Pick<FeatureParts, 'database' | 'storage' | 'log' | 'now'> {
  /** Milliseconds from letting an object go to removing it. */
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
 * A kicked run does not hold the task of the minutely job. Two processes may therefore remove the same object
 * and delete the same entry, which does no harm: removing an absent object is no error.
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
    // A running backup still reads objects that were let go after the backup began, so nothing is removed
    // meanwhile; the entries stay on the list for a run after the backup. The order matters: first read the
    // list, then ask. After a "no", every entry read was let go before any later backup begins, which then
    // does not know its object.
    if (await coordination.isHeld('backup')) break
    await database.durable()
    after = due.at(-1)!.nr
    const stuck = await storage.removeAll(due.map(({ object }) => object))
    // The entries of objects that could not be removed stay on the list, and the run goes on.
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
