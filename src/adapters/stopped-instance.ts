/**
 * Opens an instance whose service is stopped, for reading, and keeps other processes out. Used by `migrate`.
 */
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import { holdPostgres } from '../database/postgres/replacement.ts'
import { DatabaseInUse } from '../database/replacement.ts'
import { holdExclusively } from '../database/sqlite/alone.ts'
import { DATABASE_FILE, SIDE_FILE_SUFFIXES } from '../database/sqlite/file.ts'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import { openInPlace } from '../database/sqlite/swap.ts'
import { createDiskStorage } from '../storage/disk/disk.ts'
import { exists } from '../storage/local/exists.ts'
import { openBucket } from './shared-adapters.ts'
import { withReadableErrors } from './shared-database.ts'

/**
 * The copy of the database that is read, because nobody can open an SQLite file that is locked exclusively.
 */
const COPY = '.umzug-quelle.db'

/**
 * Opens the instance; null if there is none. Rejects with `DatabaseInUse` if another process uses it.
 * Disposing of the result releases the instance.
 */
export async function openStoppedInstance(config: Config, log: Log) {
  const { shared } = config
  const opened = shared
    ? await withReadableErrors(shared.databaseUrl, () =>
        holdPostgres({ url: shared.databaseUrl, acceptsUnflushed: config.acceptsUnflushed, log }),
      )
    : await holdSqlite(config.dataDir)
  if (!opened) return null
  const { database, release } = opened
  try {
    const { id } = await database.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    const storage = shared
      ? (await openBucket(config, shared.store, { id, now: () => Date.now() + database.clockOffset() }))
          .storage
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

async function holdSqlite(dataDir: string) {
  const live = join(dataDir, DATABASE_FILE)
  if (!(await exists(live))) return null
  // Finishes an interrupted restore, and migrates the database to the newest schema.
  await (await openInPlace(dataDir, { now: Date.now })).close()
  const hold = await holdExclusively(live)
  if (!hold) throw new DatabaseInUse(`${live} is in use`)
  const copy = join(dataDir, COPY)
  const removeCopy = async () => {
    for (const end of ['', ...SIDE_FILE_SUFFIXES]) await rm(copy + end, { force: true })
  }
  try {
    await removeCopy()
    await copyFile(live, copy)
    const database = await openSqlite({ file: copy })
    const release = async () => {
      await database.close()
      await removeCopy()
      hold.release()
    }
    return { database, release }
  } catch (error) {
    await removeCopy()
    hold.release()
    throw error
  }
}
