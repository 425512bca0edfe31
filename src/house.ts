/** The adapters that both the service and the command line stand on. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import type { Coordination } from './coordination/coordination.ts'
import { createLeases } from './coordination/leases.ts'
import type { Database } from './database/database.ts'
import { openSqlite } from './database/sqlite.ts'
import { takePlace } from './features/restore/swap.ts'
import { newId } from './ids.ts'
import { createLog, type Log } from './log.ts'
import { createDiskStorage } from './storage/disk.ts'
import { errorCode } from './storage/platform.ts'
import type { Storage } from './storage/storage.ts'

/** Of the embedded database, in the data folder. */
export const DATABASE_FILE = 'fundus.db'

export interface House {
  database: Database
  storage: Storage
  coordination: Coordination
}

/** A command speaks by its own sentences; what goes wrong beside them is told on standard error. */
const commandLog = createLog({ level: 'warn', write: line => process.stderr.write(line), readable: true })

export async function openHouse(config: Config, log: Log = commandLog): Promise<House> {
  await mkdir(config.dataDir, { recursive: true }).catch(error => {
    throw new ConfigError(`Der Datenordner ${config.dataDir} lässt sich nicht anlegen (${errorCode(error)}).`)
  })
  // A restore that was interrupted at its very end is brought to it.
  await takePlace(config.dataDir, Date.now())
  const storage = await createDiskStorage({ root: config.dataDir, newId })
  const database = await openSqlite({ file: join(config.dataDir, DATABASE_FILE) })
  const coordination = createLeases({ database, newId, now: Date.now, log })
  return { database, storage, coordination }
}
