/** The adapters that both the service and the command line stand on. */
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
import { createLog, type Log } from './log.ts'
import { createDiskStorage } from './storage/disk.ts'
import type { Storage } from './storage/storage.ts'

export interface Adapters {
  database: Database
  storage: Storage
  coordination: Coordination
}

/** A command speaks by its own sentences; what goes wrong beside them is told on standard error. */
export const commandLog = createLog({
  level: 'warn',
  write: line => process.stderr.write(line),
  readable: true,
})

export async function openAdapters(
  config: Config,
  { log = commandLog, now = Date.now }: { log?: Log; now?: () => number } = {},
): Promise<Adapters> {
  const { dataDir } = config
  await openDataFolder(dataDir, log)
  try {
    // A restore that was interrupted at its very end is brought to it.
    await takePlace(dataDir, now())
    const storage = await createDiskStorage({ root: dataDir, newId })
    const database = await openSqlite({ file: join(dataDir, DATABASE_FILE) })
    const coordination = createLeases({ database, newId, now, log })
    return { database, storage, coordination }
  } catch (error) {
    throw unusable(dataDir, error) ?? error
  }
}
