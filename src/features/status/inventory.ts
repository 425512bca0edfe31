/**
 * Checks whether the database has lost rows: it has no file although files are on disk, or it lacks committed
 * changes.
 */
import type { LostChanges } from '../../adapters/lost-changes.ts'
import { REASONS } from '../../contract/service/status.ts'
import type { FeatureParts } from '../feature.ts'
import { walkStore } from '../integrity/compare.ts'
import { discardedAmong, ownersOf } from '../integrity/owners.ts'
import { hasFiles } from './status.store.ts'
import type { CheckOutcome, RunCheck } from './status.ts'

/**
 * Maximum number of objects examined. If every one of them is in the trash or being deleted, the same is
 * assumed of the rest.
 */
const MAX_EXAMINED = 500
/** Milliseconds until the second check: an upload's bytes are stored before its row. */
const SECOND_LOOK_AFTER = 300

interface InventoryParts extends Pick<FeatureParts, 'database' | 'storage'> {
  lostChanges: Pick<LostChanges, 'knownLoss'>
}

export function createInventoryCheck(parts: InventoryParts): RunCheck {
  return async () => {
    if ((await parts.lostChanges.knownLoss()) !== null) return { grund: REASONS.changesLost }
    if (!(await isLost(parts))) return {}
    await Bun.sleep(SECOND_LOOK_AFTER)
    return (await isLost(parts)) ? ({ grund: REASONS.inventoryLost } satisfies CheckOutcome) : {}
  }
}

async function isLost({ database, storage }: InventoryParts): Promise<boolean> {
  if (await hasFiles(database.read)) return false
  const objects: { name: string; id: string }[] = []
  for await (const { name, parsed } of walkStore(storage, ['files/'])) {
    if (parsed) objects.push({ name, id: parsed.id })
    if (objects.length === MAX_EXAMINED) break
  }
  if (objects.length === 0) return false
  // The last file may just have been deleted, or its object not yet moved to the trash.
  const names = objects.map(({ name }) => name)
  const going = await discardedAmong(database.read, names)
  const owners = await ownersOf(
    database.read,
    objects.map(({ id }) => id),
  )
  const owned = new Set(owners.map(({ id }) => id))
  return objects.some(({ name, id }) => !going.has(name) && !owned.has(id))
}
