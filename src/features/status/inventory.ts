/**
 * Checks whether the database has lost rows: it lists no files although the store has some, or it is known to
 * lack committed changes.
 */
import type { LostChangesDetector } from '../../adapters/lost-changes.ts'
import { CHECK_REASONS } from '../../contract/service/status.ts'
import type { FeatureParts } from '../feature.ts'
import { walkStore } from '../integrity/compare.ts'
import { findDiscardedObjects, findOwners } from '../integrity/owners.ts'
import { hasFiles } from './status.store.ts'
import type { CheckOutcome, RunCheck } from './status.ts'

/**
 * Maximum number of objects that are examined. If all of them are in the trash or about to be deleted, the
 * same is assumed of the others.
 */
const MAX_EXAMINED_OBJECTS = 500
/**
 * Milliseconds until the check is repeated. An upload stores its bytes before its row, so a single check may
 * find only the bytes of a new file.
 */
const RECHECK_DELAY = 300

interface InventoryParts extends Pick<FeatureParts, 'database' | 'storage'> {
  lostChanges: Pick<LostChangesDetector, 'knownLoss'>
}

export function createInventoryCheck(parts: InventoryParts): RunCheck {
  return async () => {
    if ((await parts.lostChanges.knownLoss()) !== null) return { grund: CHECK_REASONS.changesLost }
    if (!(await isInventoryLost(parts))) return {}
    await Bun.sleep(RECHECK_DELAY)
    return (await isInventoryLost(parts))
      ? ({ grund: CHECK_REASONS.inventoryLost } satisfies CheckOutcome)
      : {}
  }
}

async function isInventoryLost({ database, storage }: InventoryParts): Promise<boolean> {
  if (await hasFiles(database.read)) return false
  const objects: { name: string; id: string }[] = []
  for await (const { name, parsed: parsedName } of walkStore(storage, ['files/'])) {
    if (parsedName) objects.push({ name, id: parsedName.id })
    if (objects.length === MAX_EXAMINED_OBJECTS) break
  }
  if (objects.length === 0) return false
  // If all files were deleted recently, the store still has their objects, which belong to the trash or are
  // about to be discarded.
  const names = objects.map(({ name }) => name)
  const discardedNames = await findDiscardedObjects(database.read, names)
  const owners = await findOwners(
    database.read,
    objects.map(({ id }) => id),
  )
  const ownedIds = new Set(owners.map(({ id }) => id))
  return objects.some(({ name, id }) => !discardedNames.has(name) && !ownedIds.has(id))
}
