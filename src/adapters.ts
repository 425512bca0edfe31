/** Opens the adapters that both the service and the commands use: database, storage, coordination. */
import { type Config, ConfigError } from './config.ts'
import type { Coordination } from './coordination/coordination.ts'
import { createLeases } from './coordination/leases.ts'
import { openDataFolder, unusable } from './data-folder.ts'
import type { Database } from './database/database.ts'
import type { NewIndex, NewInstance } from './database/replacement.ts'
import { beginSqliteIndex, beginSqliteInstance } from './database/sqlite-replacement.ts'
import { openInPlace, removeParts } from './database/sqlite-swap.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { openSharedDatabase } from './shared-database.ts'
import { createDiskStorage } from './storage/disk.ts'
import { createS3Storage } from './storage/s3.ts'
import { BucketError, claimBucket } from './storage/s3-instance.ts'
import { createS3Requests, type S3Place } from './storage/s3-requests.ts'
import type { Storage } from './storage/storage.ts'

export interface Adapters {
  database: Database
  storage: Storage
  coordination: Coordination
  /** The clock that all processes on this database have in common. */
  now: () => number
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
    const database = await openDatabase(config, { log, now })
    await removeParts(dataDir).catch(error =>
      log.warn('what a broken-off restore left could not be removed', { cause: error }),
    )
    const storage = await openStorage(config, database, now).catch(async error => {
      await database.close()
      throw error
    })
    const common = () => now() + database.clockOffset()
    const coordination = createLeases({ database, newId, now: common, log })
    return {
      database,
      storage,
      coordination,
      now: common,
      async close() {
        await storage.close()
        await database.close()
      },
    }
  } catch (error) {
    throw unusable(dataDir, error) ?? error
  }
}

function openDatabase(
  { dataDir, shared, unflushed }: Config,
  { log, now }: { log: Log; now: () => number },
): Promise<Database> {
  return shared ? openSharedDatabase({ url: shared.databaseUrl, unflushed, log }) : openInPlace(dataDir, now)
}

async function openStorage({ dataDir, shared, cacheBytes }: Config, database: Database, now: () => number) {
  if (!shared) return createDiskStorage({ root: dataDir, newId })
  const requests = createS3Requests(shared.store)
  const { id } = await database.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
  await claimBucket(requests, id).catch(error => {
    throw error instanceof BucketError ? new ConfigError(sentenceOf(error, shared.store)) : error
  })
  return createS3Storage({ requests, root: dataDir, cacheBytes, newId, now })
}

function sentenceOf({ trouble }: BucketError, { endpoint, bucket }: S3Place): string {
  switch (trouble) {
    case 'key':
      return `Der Objektspeicher ${endpoint} weist den Schlüssel ab; bitte S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY und S3_REGION prüfen.`
    case 'bucket':
      return `Im Objektspeicher ${endpoint} gibt es den Bucket ${bucket} nicht; bitte anlegen oder S3_BUCKET berichtigen.`
    case 'silent':
      return `Der Objektspeicher ${endpoint} antwortet nicht.`
    case 'foreign':
      return `Der Bucket ${bucket} gehört zu einer anderen Datenbank; zwei Datenbanken würden einander die Dateien wegräumen.`
  }
}

/** Replaces rows and objects, for `restore`. Rejects with `DatabaseInUse`. */
export async function beginNewInstance(config: Config): Promise<NewInstance> {
  refuseShared(config)
  return beginSqliteInstance({ dataDir: config.dataDir, newId, now: Date.now })
}

/** Replaces the rows of the objects that lie in the store, for `rebuild`. Rejects with `DatabaseInUse`. */
export async function beginNewIndex(config: Config): Promise<NewIndex> {
  refuseShared(config)
  return beginSqliteIndex({ dataDir: config.dataDir, newId, now: Date.now })
}

/** Without this a restore would fill a data folder that the service on PostgreSQL never looks into. */
function refuseShared({ shared }: Config): void {
  if (shared)
    throw new ConfigError(
      'Mit PostgreSQL und Objektspeicher geht dieser Befehl noch nicht; nichts wurde geändert.',
    )
}
