/**
 * Opens, for reading, the instance that `migrate` copies. Its service must be stopped. No other process can
 * use the instance until it is closed.
 */
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import { openPostgresExclusively } from '../database/postgres/replacement.ts'
import { DatabaseInUseError } from '../database/replacement.ts'
import { lockExclusively } from '../database/sqlite/exclusive-use.ts'
import { DATABASE_FILE, SIDE_FILE_SUFFIXES } from '../database/sqlite/file.ts'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import { hasInstance, openLiveDatabase } from '../database/sqlite/swap.ts'
import { createDiskStorage } from '../storage/disk/disk.ts'
import { openBucket } from './shared-adapters.ts'
import { withReadableErrors } from './shared-database.ts'

/**
 * Name of a copy of the SQLite database. The copy is opened instead of the original, because a file that is
 * locked exclusively cannot be opened a second time.
 */
const DATABASE_COPY_FILE = '.umzug-quelle.db'

/**
 * Opens the instance; null if there is none. Rejects with `DatabaseInUseError` if another process uses it.
 * Disposing of the result releases the instance.
 */
export async function openStoppedInstance(config: Config, log: Log) {
  const { sharedServices } = config
  const lockedDatabase = sharedServices
    ? await withReadableErrors(sharedServices.databaseUrl, () =>
        openPostgresExclusively({
          url: sharedServices.databaseUrl,
          acceptsUnflushed: config.acceptsUnflushed,
          log,
        }),
      )
    : await lockSqlite(config.dataDir)
  if (!lockedDatabase) return null
  const { database, release } = lockedDatabase
  try {
    const { id } = await database.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    const storage = sharedServices
      ? (
          await openBucket(config, sharedServices.store, {
            id,
            now: () => Date.now() + database.clockOffset(),
          })
        ).storage
      : await createDiskStorage({ root: config.dataDir, newId })
    const close = async () => {
      try {
        await storage.close()
      } finally {
        await release()
      }
    }
    return { database, storage, id, [Symbol.asyncDispose]: close }
  } catch (error) {
    await release()
    throw error
  }
}

async function lockSqlite(dataDir: string) {
  if (!(await hasInstance(dataDir))) return null
  const databaseFile = join(dataDir, DATABASE_FILE)
  // Finishes an interrupted restore, and migrates the database to the newest schema.
  await (await openLiveDatabase(dataDir, { now: Date.now })).close()
  const lock = await lockExclusively(databaseFile)
  if (!lock) throw new DatabaseInUseError(`${databaseFile} is in use`)
  const copyPath = join(dataDir, DATABASE_COPY_FILE)
  const removeCopy = async () => {
    for (const suffix of ['', ...SIDE_FILE_SUFFIXES]) await rm(copyPath + suffix, { force: true })
  }
  try {
    await removeCopy()
    await copyFile(databaseFile, copyPath)
    const database = await openSqlite({ file: copyPath })
    const release = async () => {
      await database.close()
      await removeCopy()
      lock.release()
    }
    return { database, release }
  } catch (error) {
    await removeCopy()
    lock.release()
    throw error
  }
}
