/** Opens PostgreSQL and the object store. A service with a data folder does not load this module. */
import { hostname } from 'node:os'
import { newId } from '../base/ids.ts'
import type { TextPair } from '../base/language.ts'
import type { Log } from '../base/log.ts'
import { type Config, ConfigError } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { announceProcess } from '../database/postgres/presence.ts'
import { beginPostgresReplacement, removeUnfinishedReplacements } from '../database/postgres/replacement.ts'
import type { InstanceReplacement } from '../database/replacement.ts'
import { MARK_LENGTH } from '../storage/names.ts'
import { BucketError, claimBucket, readInstanceMark } from '../storage/s3/instance.ts'
import { createS3Requests, DEFAULT_REQUEST_LIMITS, type S3Location } from '../storage/s3/requests.ts'
import { createS3Storage } from '../storage/s3/s3.ts'
import type { Storage } from '../storage/storage.ts'
import { withReadableErrors } from './shared-database.ts'

export { openSharedDatabase } from './shared-database.ts'

type SharedConfig = NonNullable<Config['sharedServices']>

/**
 * Adds this process to the list of processes that use PostgreSQL (`presence.ts`), opens the bucket, and
 * removes what an interrupted restore has left. `unregister` removes the process from the list.
 */
export async function openSharedStorage(
  config: Config,
  { databaseUrl: url, store }: SharedConfig,
  database: Database,
  { log, now }: { log: Log; now: () => number },
): Promise<{ storage: Storage; unregister: () => Promise<void> }> {
  const presence = await withReadableErrors(url, () =>
    announceProcess(database, { host: hostname(), newId, log }),
  )
  try {
    const { id } = await database.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    const { storage, claim } = await openBucket(config, store, { id, now })
    await claim().catch(async error => {
      await storage.close()
      throw error
    })
    // While this process is registered, no other process can replace the database, so any unfinished
    // replacement was left by an interrupted restore or migration.
    await removeUnfinishedReplacements({ url, log }, storage).catch(error =>
      log.warn('what a broken-off restore left could not be removed', { cause: error }),
    )
    return { storage, unregister: presence.withdraw }
  } catch (error) {
    await presence.withdraw()
    throw error
  }
}

/**
 * Opens the bucket of the instance `id`. If `id` is null, because there is no database yet, uses the id that
 * is stored in the bucket, or a new one if the bucket contains none. `claim` writes the id to the bucket.
 * Rejects with `ConfigError` if the bucket belongs to another instance or, for a known reason, cannot be
 * used.
 */
export async function openBucket(
  { dataDir, cacheBytes }: Config,
  location: S3Location,
  { id: knownId, now }: { id: string | null; now: () => number },
): Promise<{ storage: Storage; id: string; claim: () => Promise<void> }> {
  const requests = createS3Requests(location, DEFAULT_REQUEST_LIMITS, now)
  const throwExplained = (error: unknown): never => {
    throw error instanceof BucketError ? new ConfigError(...bucketErrorText(error, location)) : error
  }
  const storedId = await readInstanceMark(requests).catch(throwExplained)
  const id = knownId ?? storedId ?? newId()
  if (storedId !== null && storedId !== id) throwExplained(new BucketError('foreign'))
  const storage = await createS3Storage({ requests, root: dataDir, cacheBytes, newId, now })
  return { storage, id, claim: () => claimBucket(requests, id).catch(throwExplained) }
}

function bucketErrorText({ problem }: BucketError, { endpoint, bucket }: S3Location): TextPair {
  switch (problem) {
    case 'key':
      return [
        `Der Objektspeicher ${endpoint} weist den Schlüssel ab; bitte S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY und S3_REGION prüfen.`,
        `The object store ${endpoint} refuses the key; please check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION.`,
      ]
    case 'clock':
      return [
        `Die Uhr des Objektspeichers ${endpoint} und die der Datenbank gehen um mehr als 15 Minuten auseinander; bitte beide stellen.`,
        `The clocks of the object store ${endpoint} and of the database differ by more than 15 minutes; please set both.`,
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

/** `beginNewInstance` (`adapters.ts`) for PostgreSQL and an object store. */
export function beginSharedInstance(
  config: Config,
  { databaseUrl: url, store }: SharedConfig,
  { log, resumeId }: { log: Log; resumeId: string | undefined },
): Promise<InstanceReplacement> {
  const { acceptsUnflushed } = config
  return withReadableErrors(url, () =>
    beginPostgresReplacement({
      url,
      acceptsUnflushed,
      log,
      now: Date.now,
      isResumable: resumeId !== undefined,
      attemptMark: resumeId ?? newId(MARK_LENGTH),
      openStorage: (id, now) => openBucket(config, store, { id, now }),
    }),
  )
}
