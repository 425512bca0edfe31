/**
 * A restore keeps the earlier database that it replaces. This puts the objects of that database on the
 * discard list, except those that the live database owns too.
 */
import { streamBatches } from '../../base/batches.ts'
import type { Database, Queries } from '../../database/database.ts'
import { findOwners, walkOwners } from '../integrity/owners.ts'
import { discardObjects, objectsOf } from '../media/media.store.ts'

export async function discardEarlierObjects(
  earlierDatabase: Queries,
  liveDatabase: Database,
  dueAt: number,
): Promise<void> {
  for await (const owners of streamBatches(walkOwners(earlierDatabase))) {
    await liveDatabase.transaction(async tx => {
      const ids = owners.map(({ id }) => id)
      const ownedObjects = new Set((await findOwners(tx, ids)).flatMap(objectsOf))
      const objects = owners.flatMap(objectsOf).filter(object => !ownedObjects.has(object))
      await discardObjects(tx, objects, dueAt)
    })
  }
}
