/**
 * Opens the adapters (database, storage, coordination) for the service and the commands. For `restore`,
 * `migrate` and `rebuild`, also begins the replacement of an instance.
 */

import { newId } from '../base/ids.ts'
import type { TextPair } from '../base/language.ts'
import type { Log } from '../base/log.ts'
import { createDiskFaults, type DiskFaults } from '../base/system/disk-faults.ts'
import { type Config, ConfigError, databaseAddress } from '../config/config.ts'
import { type Database, NoInstanceError } from '../database/database.ts'
import {
  DatabaseInUseError,
  type DatabaseReplacement,
  type InstanceReplacement,
} from '../database/replacement.ts'
import { DATABASE_FILE } from '../database/sqlite/file.ts'
import {
  beginSqliteDatabaseReplacement,
  beginSqliteInstanceReplacement,
} from '../database/sqlite/replacement.ts'
import { hasInstance, openLiveDatabase, removeInterruptedRestores } from '../database/sqlite/swap.ts'
import type { Coordination } from '../jobs/coordination.ts'
import { createLeases } from '../jobs/leases.ts'
import { createDiskStorage } from '../storage/disk/disk.ts'
import { openDiskReserve } from '../storage/local/reserve.ts'
import type { Storage } from '../storage/storage.ts'
import { dataFolderError, openDataFolder } from './data-folder.ts'
import { createLostChangesDetector, type LostChangesDetector } from './lost-changes.ts'

export interface Adapters extends AsyncDisposable {
  database: Database
  storage: Storage
  coordination: Coordination
  /** Detects that the database lacks changes that were committed earlier. */
  lostChanges: LostChangesDetector
  faults: DiskFaults
  /** Unix milliseconds, by the clock that all processes on this database share. */
  now: () => number
  close(): Promise<void>
}

export interface AdapterOptions {
  log: Log
  now?: () => number
  /** Whether a missing instance is created; otherwise opening rejects with `MissingInstanceError`. */
  mayCreate?: boolean
  /** Whether `openDataFolder` has already run; the supervisor calls it once for all its workers. */
  isFolderOpen?: boolean
}

/** Thrown if there is no instance at the configured location. */
export class MissingInstanceError extends ConfigError {}

export async function openAdapters(
  config: Config,
  { log, now = Date.now, mayCreate = false, isFolderOpen = false }: AdapterOptions,
): Promise<Adapters> {
  const { dataDir } = config
  try {
    if (!mayCreate && !config.sharedServices && !(await hasInstance(dataDir))) throw new NoInstanceError()
    if (!isFolderOpen) await openDataFolder(dataDir, log)
    const diskFaults = createDiskFaults(log)
    // The database is opened before the storage: opening the database finishes an interrupted restore, and
    // that replaces objects in the storage.
    const database = await openDatabase(config, { log, now, mayCreate, faults: diskFaults })
    await removeInterruptedRestores(dataDir).catch(error =>
      log.warn('what a broken-off restore left could not be removed', { cause: error }),
    )
    const sharedNow = () => now() + database.clockOffset()
    const openedStorage = await openStorage(config, database, { log, now: sharedNow }).catch(async error => {
      await database.close()
      throw error
    })
    const { storage, unregister } = openedStorage
    const coordination = createLeases({ database, newId, now: sharedNow, log })
    const lostChangesDetector = createLostChangesDetector({ database, storage, now: sharedNow, log })
    const close = async () => {
      try {
        await storage.close()
      } finally {
        await unregister()
        await database.close()
      }
    }
    return {
      database,
      storage,
      coordination,
      lostChanges: lostChangesDetector,
      faults: diskFaults,
      now: sharedNow,
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    if (error instanceof NoInstanceError) throw new MissingInstanceError(...noInstanceText(config))
    if (error instanceof DatabaseInUseError && config.sharedServices)
      throw new ConfigError(
        `Der Bestand in ${instanceLocation(config)} wird gerade ersetzt (fundus restore oder migrate); bitte danach noch einmal starten.`,
        `The instance in ${instanceLocation(config)} is being replaced (fundus restore or migrate); please start again afterwards.`,
      )
    throw dataFolderError(dataDir, error) ?? error
  }
}

function noInstanceText(config: Config): TextPair {
  const [variable, missingName] = config.sharedServices
    ? ['DATABASE_URL', 'schema fundus']
    : ['DATA_DIR', DATABASE_FILE]
  return [
    `In ${instanceLocation(config)} liegt kein Bestand (${missingName} fehlt dort), und dieser Befehl legt keinen an. Bitte ${variable} so setzen, wie der Dienst es hat; einen neuen Bestand machen fundus start, restore, rebuild und migrate.`,
    `There is no instance in ${instanceLocation(config)} (it has no ${missingName}), and this command does not create one. Please set ${variable} as the service has it; fundus start, restore, rebuild and migrate create a new instance.`,
  ]
}

interface OpeningParts {
  log: Log
  now: () => number
  faults: DiskFaults
}

async function openDatabase(
  { dataDir, sharedServices, acceptsUnflushed }: Config,
  { log, now, mayCreate, faults }: OpeningParts & { mayCreate: boolean },
): Promise<Database> {
  if (!sharedServices) return openLiveDatabase(dataDir, { now, reserve: openDiskReserve(dataDir), faults })
  return (await loadSharedAdapters()).openSharedDatabase({
    url: sharedServices.databaseUrl,
    acceptsUnflushed,
    log,
    mayCreate,
  })
}

/**
 * Opens the storage. With PostgreSQL, `unregister` removes this process from the list of processes that use
 * the database (`presence.ts`); otherwise it does nothing.
 */
async function openStorage(
  config: Config,
  database: Database,
  { log, now }: Omit<OpeningParts, 'faults'>,
): Promise<{ storage: Storage; unregister: () => Promise<void> }> {
  if (config.sharedServices)
    return (await loadSharedAdapters()).openSharedStorage(config, config.sharedServices, database, {
      log,
      now,
    })
  const { dataDir } = config
  const storage = await createDiskStorage({ root: dataDir, newId, reserve: openDiskReserve(dataDir) })
  return { storage, unregister: async () => {} }
}

/**
 * PostgreSQL and S3 are loaded only if they are configured, so that a service on a single machine starts
 * faster and needs less memory.
 */
const loadSharedAdapters = () => import('./shared-adapters.ts')

/** The location of an instance, for messages. */
export const instanceLocation = ({ dataDir, sharedServices }: Config) =>
  sharedServices
    ? `${databaseAddress(sharedServices.databaseUrl)} (Bucket ${sharedServices.store.bucket})`
    : dataDir

/**
 * Begins to replace the rows and objects of an instance, for `restore` and `migrate`. Rejects with
 * `DatabaseInUseError` if another process uses the database.
 *
 * With `resumeId` (six characters, for `migrate`), an interrupted replacement keeps its new objects, and a
 * later call with the same `resumeId` continues with them. With `attemptId` (for `restore` into a data
 * folder), the new objects are kept only if this process is killed; the next call continues with them if it
 * has the same `attemptId`.
 */
export async function beginNewInstance(
  config: Config,
  { log, resumeId, attemptId }: { log: Log; resumeId?: string; attemptId?: string },
): Promise<InstanceReplacement> {
  const { dataDir, sharedServices } = config
  const isResumable = resumeId !== undefined
  if (!sharedServices)
    return beginSqliteInstanceReplacement({ dataDir, newId, now: Date.now, isResumable, attemptId })
  await openDataFolder(dataDir, log)
  return (await loadSharedAdapters()).beginSharedInstance(config, sharedServices, { log, resumeId })
}

/**
 * Begins to create new rows for the stored objects, for `rebuild`. Works only with a data folder. Rejects
 * with `DatabaseInUseError` if another process uses the database.
 */
export const beginNewDatabase = ({ dataDir }: Config): Promise<DatabaseReplacement> =>
  beginSqliteDatabaseReplacement({ dataDir, newId, now: Date.now })
