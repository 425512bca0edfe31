/** Discards the objects of an earlier state, except those that the live state owns too. */
import { inBatches } from '../../base/batches.ts'
import type { Database, Queries } from '../../database/database.ts'
import { ownersOf, walkOwners } from '../integrity/owners.ts'
import { discardObjects, objectsOf } from '../media/media.store.ts'

export async function discardKept(kept: Queries, live: Database, dueAt: number): Promise<void> {
  for await (const owners of inBatches(walkOwners(kept))) {
    await live.transaction(async tx => {
      const ids = owners.map(({ id }) => id)
      const owned = new Set((await ownersOf(tx, ids)).flatMap(objectsOf))
      const objects = owners.flatMap(objectsOf).filter(object => !owned.has(object))
      await discardObjects(tx, objects, dueAt)
    })
  }
}
