/** Whether the database has lost its entries: it knows no file while files lie on disk. */
import { REASONS } from '../../contract/status.ts'
import type { Database } from '../../database/database.ts'
import type { Storage } from '../../storage/storage.ts'
import { walkStore } from '../integrity/compare.ts'
import { discardedAmong, ownersOf } from '../integrity/owners.ts'
import { anyFile } from './status.store.ts'
import type { Finding, RunCheck } from './status.ts'

/** Objects looked at. If so many are on their way into the trash or away, so is the rest. */
const LOOKED_AT = 500
/** An upload's bytes lie there before its row does; so long it gets. */
const SECOND_LOOK = 300

export interface InventoryParts {
  database: Database
  storage: Storage
}

export function createInventoryCheck(parts: InventoryParts): RunCheck {
  return async () => {
    if (!(await isLost(parts))) return {}
    await Bun.sleep(SECOND_LOOK)
    return (await isLost(parts)) ? ({ grund: REASONS.inventoryLost } satisfies Finding) : {}
  }
}

async function isLost({ database, storage }: InventoryParts): Promise<boolean> {
  if (await anyFile(database.read)) return false
  const objects: { name: string; id: string }[] = []
  for await (const { name, parsed } of walkStore(storage, ['files/'])) {
    if (parsed) objects.push({ name, id: parsed.id })
    if (objects.length === LOOKED_AT) break
  }
  if (objects.length === 0) return false
  // The last file may just have been deleted, or thrown away without its object having followed yet.
  const names = objects.map(({ name }) => name)
  const going = await discardedAmong(database.read, names)
  const owners = await ownersOf(
    database.read,
    objects.map(({ id }) => id),
  )
  const owned = new Set(owners.map(({ id }) => id))
  return objects.some(({ name, id }) => !going.has(name) && !owned.has(id))
}
