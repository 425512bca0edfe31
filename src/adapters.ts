/** Opens the adapters that both the service and the commands use: database, storage, coordination. */
import { hostname } from 'node:os'
import { type Config, ConfigError } from './config.ts'
import type { Coordination } from './coordination/coordination.ts'
import { createLeases } from './coordination/leases.ts'
import { openDataFolder, unusable } from './data-folder.ts'
import type { Database } from './database/database.ts'
import { announce } from './database/postgres-presence.ts'
import { beginPostgresInstance, removeUnfinished } from './database/postgres-replacement.ts'
import { DatabaseInUse, type NewIndex, type NewInstance } from './database/replacement.ts'
import { beginSqliteIndex, beginSqliteInstance } from './database/sqlite-replacement.ts'
import { openInPlace, removeParts } from './database/sqlite-swap.ts'
import { newId } from './ids.ts'
import type { Text } from './language.ts'
import type { Log } from './log.ts'
import { addressOf, openSharedDatabase, tellingWhy } from './shared-database.ts'
import { createDiskStorage } from './storage/disk.ts'
import { MARK_LENGTH } from './storage/names.ts'
import { createS3Storage } from './storage/s3.ts'
import { BucketError, claimBucket, markOf } from './storage/s3-instance.ts'
import { createS3Requests, type S3Place } from './storage/s3-requests.ts'
import type { Storage } from './storage/storage.ts'

export interface Adapters extends AsyncDisposable {
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
    const opened = await openStorage(config, database, { log, now }).catch(async error => {
      await database.close()
      throw error
    })
    const { storage, leave } = opened
    const common = () => now() + database.clockOffset()
    const coordination = createLeases({ database, newId, now: common, log })
    const close = async () => {
      await storage.close()
      await leave()
      await database.close()
    }
    return { database, storage, coordination, now: common, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    if (error instanceof DatabaseInUse && config.shared)
      throw new ConfigError(
        `Der Bestand in ${placeOf(config)} wird gerade ersetzt (fundus restore oder migrate); bitte danach noch einmal starten.`,
        `The instance in ${placeOf(config)} is being replaced (fundus restore or migrate); please start again afterwards.`,
      )
    throw unusable(dataDir, error) ?? error
  }
}

function openDatabase(
  { dataDir, shared, unflushed }: Config,
  { log, now }: { log: Log; now: () => number },
): Promise<Database> {
  return shared ? openSharedDatabase({ url: shared.databaseUrl, unflushed, log }) : openInPlace(dataDir, now)
}

/** `leave` says that this process no longer uses the database. */
async function openStorage(
  config: Config,
  database: Database,
  { log, now }: { log: Log; now: () => number },
): Promise<{ storage: Storage; leave: () => Promise<void> }> {
  if (!config.shared)
    return { storage: await createDiskStorage({ root: config.dataDir, newId }), leave: async () => {} }
  const url = config.shared.databaseUrl
  const presence = await tellingWhy(url, () => announce(database, { host: hostname(), newId, log }))
  try {
    const { id } = await database.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    const { storage, claim } = await openBucket(config, config.shared.store, { id, now })
    await claim().catch(async error => {
      await storage.close()
      throw error
    })
    // Since this process has said that it lives, no restore is under way: what one has left is of a broken-off one.
    await removeUnfinished({ url, log }, storage).catch(error =>
      log.warn('what a broken-off restore left could not be removed', { cause: error }),
    )
    return { storage, leave: presence.withdraw }
  } catch (error) {
    await presence.withdraw()
    throw error
  }
}

/**
 * Without an id, the store's own is taken over: the database that it belonged to is gone. `claim` lets the store bear the id.
 * Rejects with `ConfigError` when the store belongs to another instance.
 */
export async function openBucket(
  { dataDir, cacheBytes }: Config,
  place: S3Place,
  { id: given, now }: { id: string | null; now: () => number },
): Promise<{ storage: Storage; id: string; claim: () => Promise<void> }> {
  const requests = createS3Requests(place)
  const explained = (error: unknown): never => {
    throw error instanceof BucketError ? new ConfigError(...sentenceOf(error, place)) : error
  }
  const mark = await markOf(requests).catch(explained)
  const id = given ?? mark ?? newId()
  if (mark !== null && mark !== id) explained(new BucketError('foreign'))
  const storage = await createS3Storage({ requests, root: dataDir, cacheBytes, newId, now })
  return { storage, id, claim: () => claimBucket(requests, id).catch(explained) }
}

function sentenceOf({ trouble }: BucketError, { endpoint, bucket }: S3Place): Text {
  switch (trouble) {
    case 'key':
      return [
        `Der Objektspeicher ${endpoint} weist den Schlüssel ab; bitte S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY und S3_REGION prüfen.`,
        `The object store ${endpoint} refuses the key; please check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION.`,
      ]
    case 'bucket':
      return [
        `Im Objektspeicher ${endpoint} gibt es den Bucket ${bucket} nicht; bitte anlegen oder S3_BUCKET berichtigen.`,
        `The object store ${endpoint} has no bucket ${bucket}; please make it or correct S3_BUCKET.`,
      ]
    case 'silent':
      return [
        `Der Objektspeicher ${endpoint} antwortet nicht.`,
        `The object store ${endpoint} does not answer.`,
      ]
    case 'foreign':
      return [
        `Der Bucket ${bucket} gehört zu einer anderen Datenbank; zwei Datenbanken würden einander die Dateien wegräumen.`,
        `The bucket ${bucket} belongs to another database; two databases would remove each other's files.`,
      ]
  }
}

/** How sentences for the operator name the place of an instance. */
export const placeOf = ({ dataDir, shared }: Config) =>
  shared ? `${addressOf(shared.databaseUrl)} mit dem Bucket ${shared.store.bucket}` : dataDir

/**
 * Replaces rows and objects, for `restore`. Rejects with `DatabaseInUse`. With `resume`, a mark of six characters, a later
 * try with the same mark goes on with the objects of this one.
 */
export async function beginNewInstance(
  config: Config,
  { log, resume }: { log: Log; resume?: string },
): Promise<NewInstance> {
  const { dataDir, shared, unflushed } = config
  const resumable = resume !== undefined
  if (!shared) return beginSqliteInstance({ dataDir, newId, now: Date.now, resumable })
  await openDataFolder(dataDir, log)
  return tellingWhy(shared.databaseUrl, () =>
    beginPostgresInstance({
      ...{ url: shared.databaseUrl, unflushed, log, now: Date.now, resumable },
      mark: resume ?? newId(MARK_LENGTH),
      openStorage: id => openBucket(config, shared.store, { id, now: Date.now }),
    }),
  )
}

/**
 * Replaces the rows of the objects that lie in the store, for `rebuild`; only where names follow paths. Rejects with
 * `DatabaseInUse`.
 */
export const beginNewIndex = ({ dataDir }: Config): Promise<NewIndex> =>
  beginSqliteIndex({ dataDir, newId, now: Date.now })
