/**
 * Replaces the SQLite database. The new one is built in a folder inside the data folder (`sqlite/swap.ts`).
 */
import { Database as Connection } from 'bun:sqlite'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Kysely } from 'kysely'
import type { NewId } from '../../base/ids.ts'
import { createDiskStorage } from '../../storage/disk/disk.ts'
import { exists, nearestExisting } from '../../storage/local/exists.ts'
import { CAN_MOVE_OPEN_FILES } from '../../storage/local/platform.ts'
import { removeTree } from '../../storage/local/remove-tree.ts'
import { diskSpace } from '../../storage/local/space.ts'
import { DISK_STORAGE_MARK } from '../../storage/names.ts'
import type { Queries } from '../database.ts'
import { migrate } from '../migrate.ts'
import {
  DatabaseInUseError,
  type DatabaseReplacement,
  type InstanceReplacement,
  type Replacement,
} from '../replacement.ts'
import { executorOnConnection, kyselyOnExecutor } from './dialect.ts'
import { type ExclusiveUse, lockExclusively } from './exclusive-use.ts'
import { DATABASE_FILE, SIDE_FILE_SUFFIXES } from './file.ts'
import { openSqlite } from './sqlite.ts'
import {
  finishSwap,
  MIGRATE_REPLACEMENT_FOLDER,
  markReplacementComplete,
  removeInterruptedRestores,
  replacementFolderOf,
  type SwapKind,
  withSwapLock,
} from './swap.ts'
import { SQLITE_QUERY_TRAITS, SQLITE_TRAITS } from './traits.ts'

export interface SqliteReplacementParts {
  dataDir: string
  newId: NewId
  now: () => number
}

/**
 * Begins to replace the whole instance. Rejects with `DatabaseInUseError` if another process uses the
 * database. The data folder need not exist, and is not created before `load`. With `isResumable`, the new
 * objects stay if the replacement does not reach its end, and the next call with `isResumable` uses them.
 * Without it, they stay only if the process is killed. Then the next call uses them if it has the same
 * `attemptId`; any other call, and the next start of the service, removes them.
 */
export async function beginSqliteInstanceReplacement(
  parts: SqliteReplacementParts & { isResumable?: boolean; attemptId?: string | undefined },
): Promise<InstanceReplacement> {
  const { dataDir, newId, isResumable = false } = parts
  const { replacementFolder, prepare, release, ...replacement } = await beginReplacement(
    parts,
    'instance',
    isResumable,
  )
  if (await exists(dataDir)) await removeInterruptedRestores(dataDir, replacementFolder)
  return {
    ...replacement,
    async freeBytes() {
      return (await diskSpace(await nearestExisting(dataDir)))?.free ?? null
    },
    async load(migrations, writeRows) {
      await prepare()
      for (const suffix of ['', ...SIDE_FILE_SUFFIXES])
        await rm(join(replacementFolder, DATABASE_FILE + suffix), { force: true })
      const storage = await createDiskStorage({ root: replacementFolder, newId })
      try {
        return await createAndFillDatabase(join(replacementFolder, DATABASE_FILE), migrations, tx =>
          writeRows({ tx, queryTraits: SQLITE_QUERY_TRAITS, storage, mark: '' }),
        )
      } finally {
        await storage.close()
      }
    },
    async release() {
      if (!isResumable) await removeTree(replacementFolder)
      await release()
    },
  }
}

/** Begins to replace only the database. Rejects with `DatabaseInUseError` if another process uses it. */
export async function beginSqliteDatabaseReplacement(
  parts: SqliteReplacementParts,
): Promise<DatabaseReplacement> {
  const { replacementFolder, prepare, ...replacement } = await beginReplacement(parts, 'database')
  return {
    ...replacement,
    async fillOrResume(work) {
      const exclusiveUse = await prepare()
      const file = join(replacementFolder, DATABASE_FILE)
      const isResumed = await hasResumableDatabase(file)
      if (!isResumed && exclusiveUse.hasRows(['media', 'trash']) === false) await exclusiveUse.copyTo(file)
      const database = await openSqlite({ file })
      const storage = await createDiskStorage({ root: parts.dataDir, newId: parts.newId })
      try {
        // A copy of the live database may contain `older_since`, the time at which lost changes were noticed.
        // The new database replaces the live one on purpose, so the column is set to null.
        await database.transaction(tx => tx.updateTable('instance').set({ older_since: null }).execute())
        return await work(database, storage)
      } finally {
        await storage.close()
        await database.close()
      }
    },
  }
}

async function beginReplacement(
  { dataDir, newId, now, attemptId = newId() }: SqliteReplacementParts & { attemptId?: string | undefined },
  kind: SwapKind,
  isResumable = false,
) {
  const liveFile = join(dataDir, DATABASE_FILE)
  const replacementFolder = isResumable
    ? join(dataDir, MIGRATE_REPLACEMENT_FOLDER)
    : replacementFolderOf(dataDir, kind, attemptId)
  let isSwapped = false
  let exclusiveUse = (await exists(liveFile)) ? await lockLiveDatabase() : null

  async function lockLiveDatabase(): Promise<ExclusiveUse> {
    const lock = await lockExclusively(liveFile)
    if (!lock) throw new DatabaseInUseError(`${liveFile} is in use`)
    return lock
  }

  const replacement: Replacement = {
    liveHasRows: async tables => (exclusiveUse === null ? false : exclusiveUse.hasRows(tables)),
    async liveHasObjects() {
      const listings = ['files', 'trash'].map(folder => readdir(join(dataDir, folder)).catch(() => []))
      return (await Promise.all(listings)).flat().some(name => name !== basename(DISK_STORAGE_MARK))
    },
    swap: () =>
      withSwapLock(dataDir, async () => {
        // The storage mark (`Storage.readMark`) is removed: the new database may be older than the live one
        // on purpose, and with the mark this would be reported as lost changes.
        await rm(join(dataDir, DISK_STORAGE_MARK), { force: true })
        await markReplacementComplete(dataDir, kind, replacementFolder)
        isSwapped = true
        const isPlaceholder = exclusiveUse?.hasRows(['sqlite_schema']) === false
        // The lock on the live database is held while its file is moved, so that a process that waits for the
        // lock notices the move (`openLiveDatabase`). Windows moves no file that any process has open, so
        // there the lock is released first.
        if (!CAN_MOVE_OPEN_FILES) exclusiveUse?.release()
        if (isPlaceholder) await rm(liveFile)
        return finishSwap(dataDir, now())
      }),
    async release() {
      // A database without tables is the placeholder of `prepare`. It is removed before its lock is released.
      if (!isSwapped && exclusiveUse?.hasRows(['sqlite_schema']) === false) await rm(liveFile).catch(() => {})
      exclusiveUse?.release()
    },
  }
  return {
    ...replacement,
    replacementFolder,
    /** Creates the replacement folder, and a locked placeholder if there is no live database. */
    async prepare(): Promise<ExclusiveUse> {
      await mkdir(dataDir, { recursive: true })
      exclusiveUse ??= await lockLiveDatabase()
      await mkdir(replacementFolder, { recursive: true })
      return exclusiveUse
    },
  }
}

/** Whether an interrupted rebuild has left a database to continue with. An unreadable one is removed. */
async function hasResumableDatabase(file: string): Promise<boolean> {
  const lock = await lockExclusively(file)
  if (!lock) throw new DatabaseInUseError(`${file} is in use`)
  const hasMigrations = lock.hasRows(['migration'])
  lock.release()
  if (hasMigrations === null)
    for (const suffix of ['', ...SIDE_FILE_SUFFIXES]) await rm(file + suffix, { force: true })
  return hasMigrations === true
}

async function createAndFillDatabase<T>(
  file: string,
  migrations: readonly string[],
  writeRows: (tx: Queries) => Promise<T>,
): Promise<T> {
  const connection = new Connection(file, { create: true, strict: true })
  const executor = executorOnConnection(connection)
  try {
    // After a failure the whole file is deleted, so it needs no journal. No file may be left beside it,
    // because only the database file is moved afterwards.
    connection.run('pragma journal_mode = off')
    connection.run('pragma synchronous = full')
    connection.run('pragma temp_store = memory')
    const tx = kyselyOnExecutor(executor)
    connection.run('begin immediate')
    await migrate(tx as unknown as Kysely<unknown>, SQLITE_TRAITS, migrations)
    const result = await writeRows(tx)
    connection.run('commit')
    return result
  } finally {
    executor.end?.()
    connection.close()
  }
}
