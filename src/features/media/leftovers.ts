/**
 * Objects of uploads whose transaction or removal failed. Their rows were most likely never written, but that
 * is unknown while the database does not answer. As soon as it answers, a transaction checks this: it begins
 * after the failed one has ended, so the result is certain, and objects without a row go on the discard list.
 * Otherwise an outage under load would leave more objects than the nightly sweep attributes to a crash, and
 * it would report their rows as lost.
 *
 * The list is in memory; after a crash the sweep removes these objects.
 */
import { batches } from '../../base/batches.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from './discards.ts'
import { createKickedRuns } from './kicked-runs.ts'
import { discardObjects } from './media.store.ts'

/** Milliseconds from a failure to the first check. */
const KICK_DELAY = 2_000

/** Maximum number of remembered objects; the sweep handles the rest. */
const REMEMBERED = 10_000

export interface LeftoversParts extends Pick<FeatureParts, 'database' | 'log'> {
  discards: Discards
}

/** A run checks what was left so far, and returns how many objects were discarded. */
export function createLeftovers({ database, log, discards }: LeftoversParts) {
  /** Object names by upload id. */
  const left = new Map<string, string>()

  /** Returns how many of these objects have no row. */
  async function settle(some: readonly [id: string, object: string][]): Promise<number> {
    const ids = some.map(([id]) => id)
    const unowned = await database.transaction(async tx => {
      const owners = await tx
        .selectFrom('media')
        .select('id')
        .where('id', 'in', ids)
        .unionAll(tx.selectFrom('trash').select('id').where('id', 'in', ids))
        .execute()
      const owned = new Set(owners.map(({ id }) => id))
      const objects = some.filter(([id]) => !owned.has(id)).map(([, object]) => object)
      await discardObjects(tx, objects, discards.dueAt())
      return objects.length
    })
    for (const id of ids) left.delete(id)
    return unowned
  }

  async function work(): Promise<number> {
    let found = 0
    for (const some of batches([...left])) found += await settle(some)
    if (found > 0) {
      log.info('objects of uploads that failed are removed', { objects: found })
      discards.kick()
    }
    return found
  }

  const runs = createKickedRuns({ work, delay: KICK_DELAY, failed: 'the look at failed uploads failed', log })
  return {
    ...runs,
    /** Remembers that the object of the upload with this id may have no row. */
    add(id: string, object: string) {
      if (left.size >= REMEMBERED) return
      left.set(id, object)
      runs.kick()
    },
  }
}
