/** Opens the adapters that both the service and the commands use: database, storage, coordination. */
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Coordination } from './coordination/coordination.ts'
import { createLeases } from './coordination/leases.ts'
import { openDataFolder, unusable } from './data-folder.ts'
import type { Database } from './database/database.ts'
import { openSqlite } from './database/sqlite.ts'
import { DATABASE_FILE } from './database/sqlite-file.ts'
import { takePlace } from './features/restore/swap.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { createDiskStorage } from './storage/disk.ts'
import type { Storage } from './storage/storage.ts'

export interface Adapters {
  database: Database
  storage: Storage
  coordination: Coordination
  /** The clock that all processes on this database have in common. */
  now: () => number
}

export async function openAdapters(
  config: Config,
  { log, now = Date.now }: { log: Log; now?: () => number },
): Promise<Adapters> {
  const { dataDir } = config
  await openDataFolder(dataDir, log)
  try {
    // Finishes a restore that was interrupted during its last step.
    await takePlace(dataDir, now())
    const storage = await createDiskStorage({ root: dataDir, newId })
    const database = await openSqlite({ file: join(dataDir, DATABASE_FILE) })
    const common = () => now() + database.clockOffset()
    const coordination = createLeases({ database, newId, now: common, log })
    return { database, storage, coordination, now: common }
  } catch (error) {
    throw unusable(dataDir, error) ?? error
  }
}
