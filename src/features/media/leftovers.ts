/**
 * Remembers the objects of uploads whose transaction failed, and objects without a row that could not be
 * removed. A failed transaction has most likely written no row, but this is unknown while the database does
 * not answer. As soon as it answers, a transaction checks this, and puts the objects without a row on the
 * discard list. The check begins after the failed transaction has ended, so its result is certain. Without
 * this check, an outage under load could leave so many objects without a row that the nightly sweep would not
 * attribute them to a crash: it would report lost rows, and remove nothing.
 *
 * The objects are remembered in memory only; after a crash the sweep removes them.
 */
import { batches } from '../../base/batches.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from './discards.ts'
import { createKickedRuns } from './kicked-runs.ts'
import { discardObjects } from './media.store.ts'

/** Milliseconds from a failed upload or removal to the check whether its object has a row. */
const CHECK_DELAY = 2_000

/** Maximum number of remembered objects; the sweep handles the rest. */
const MAX_REMEMBERED_OBJECTS = 10_000

export interface LeftoversParts extends Pick<FeatureParts, 'database' | 'log'> {
  discards: Discards
}

/**
 * Creates the list of remembered objects and the runs that check it. A run checks all remembered objects,
 * discards those without a row, and returns the number of discarded objects.
 */
export function createLeftovers({ database, log, discards }: LeftoversParts) {
  /** Object names by upload id. */
  const objectsById = new Map<string, string>()

  /** Discards the objects of the batch that have no row; returns the number of discarded objects. */
  async function discardUnownedObjects(batch: readonly [id: string, object: string][]): Promise<number> {
    const ids = batch.map(([id]) => id)
    const unownedCount = await database.transaction(async tx => {
      const owners = await tx
        .selectFrom('media')
        .select('id')
        .where('id', 'in', ids)
        .unionAll(tx.selectFrom('trash').select('id').where('id', 'in', ids))
        .execute()
      const ownedIds = new Set(owners.map(({ id }) => id))
      const objects = batch.filter(([id]) => !ownedIds.has(id)).map(([, object]) => object)
      await discardObjects(tx, objects, discards.dueAt())
      return objects.length
    })
    for (const id of ids) objectsById.delete(id)
    return unownedCount
  }

  async function discardLeftovers(): Promise<number> {
    let unownedCount = 0
    for (const batch of batches([...objectsById])) unownedCount += await discardUnownedObjects(batch)
    if (unownedCount > 0) {
      log.info('objects of uploads that failed are removed', { objects: unownedCount })
      discards.kick()
    }
    return unownedCount
  }

  const runs = createKickedRuns({
    task: discardLeftovers,
    delay: CHECK_DELAY,
    failureText: 'the look at failed uploads failed',
    log,
  })
  return {
    ...runs,
    /** Remembers that the object of the upload with this id may have no row. */
    add(id: string, object: string) {
      if (objectsById.size >= MAX_REMEMBERED_OBJECTS) return
      objectsById.set(id, object)
      runs.kick()
    },
  }
}
