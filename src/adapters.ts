/** Opens the adapters that both the service and the commands use: database, storage, coordination. */
import type { Config } from './config.ts'
import type { Coordination } from './coordination/coordination.ts'
import { createLeases } from './coordination/leases.ts'
import { openDataFolder, unusable } from './data-folder.ts'
import type { Database } from './database/database.ts'
import type { NewIndex, NewInstance } from './database/replacement.ts'
import { beginSqliteIndex, beginSqliteInstance } from './database/sqlite-replacement.ts'
import { openInPlace, removeParts } from './database/sqlite-swap.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { createDiskStorage } from './storage/disk.ts'
import type { Storage } from './storage/storage.ts'

export interface Adapters {
  database: Database
  storage: Storage
  coordination: Coordination
  close(): Promise<void>
}

export async function openAdapters(
  config: Config,
  { log, now = Date.now }: { log: Log; now?: () => number },
): Promise<Adapters> {
  const { dataDir } = config
  await openDataFolder(dataDir, log)
  try {
    // First the database: opening it finishes a restore that was interrupted while it replaced the objects.
    const database = await openInPlace(dataDir, now)
    await removeParts(dataDir).catch(error =>
      log.warn('what a broken-off restore left could not be removed', { cause: error }),
    )
    const storage = await createDiskStorage({ root: dataDir, newId })
    const coordination = createLeases({ database, newId, now, log })
    return {
      database,
      storage,
      coordination,
      async close() {
        await storage.close()
        await database.close()
      },
    }
  } catch (error) {
    throw unusable(dataDir, error) ?? error
  }
}

/** Replaces rows and objects, for `restore`. Rejects with `DatabaseInUse`. */
export const beginNewInstance = ({ dataDir }: Config): Promise<NewInstance> =>
  beginSqliteInstance({ dataDir, newId, now: Date.now })

/** Replaces the rows of the objects that lie in the store, for `rebuild`. Rejects with `DatabaseInUse`. */
export const beginNewIndex = ({ dataDir }: Config): Promise<NewIndex> =>
  beginSqliteIndex({ dataDir, newId, now: Date.now })
