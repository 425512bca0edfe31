/** The adapters that both the service and the command line stand on. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import type { Database } from './database/database.ts'
import { openSqlite } from './database/sqlite.ts'
import { newId } from './ids.ts'
import { createDiskStorage } from './storage/disk.ts'
import { errorCode } from './storage/platform.ts'
import type { Storage } from './storage/storage.ts'

export interface House {
  database: Database
  storage: Storage
}

export async function openHouse(config: Config): Promise<House> {
  await mkdir(config.dataDir, { recursive: true }).catch(error => {
    throw new ConfigError(`Der Datenordner ${config.dataDir} lässt sich nicht anlegen (${errorCode(error)}).`)
  })
  const storage = await createDiskStorage({ root: config.dataDir, newId })
  const database = await openSqlite({ file: join(config.dataDir, 'fundus.db') })
  return { database, storage }
}
