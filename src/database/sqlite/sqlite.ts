/** Opens the embedded database (SQLite): one file in the data folder, no server to install. */
import { Database as Connection } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { createLog } from '../../base/log.ts'
import { createDiskFaults } from '../../base/system/disk-faults.ts'
import { errorCode } from '../../base/system/error-code.ts'
import type { DiskReserve } from '../../storage/local/reserve.ts'
import { executorOf } from '../create-kysely.ts'
import { type Database, DatabaseFullError } from '../database.ts'
import { migrate } from '../migrate.ts'
import { kyselyOnConnection } from './dialect.ts'
import { lostChangesMarker, markLostChanges } from './high-water.ts'
import { openWriteLog, type WriteLogParts } from './log.ts'
import { restoreLogFromCopy } from './log-copy.ts'
import { createFileLookup } from './lookup.ts'
import { openReaderThread } from './reader-thread.ts'
import { mergeSearchIndex } from './search.ts'
import { SQLITE_QUERY_TRAITS, SQLITE_TRAITS } from './traits.ts'
import { createGroupedTransactions } from './transactions.ts'
import { refuseUnflushedDatabase } from './unflushed.ts'

const DEFAULT_DISK_FAULTS = createDiskFaults(
  createLog({ level: 'error', isHumanReadable: true, write: line => process.stderr.write(line) }),
)

/**
 * Milliseconds that opening the file waits for a lock of another process, for example one that is opening it
 * too.
 */
const OPENING_TIMEOUT = 10_000

export interface SqliteOptions {
  file: string
  /** Logs and counts errors of the disk, and ends the process after one from which it cannot recover. */
  faults?: WriteLogParts['diskFaults']
  /** Milliseconds that a transaction waits for the write lock of another process. Only tests set it. */
  busyTimeout?: number
  /** Disk space that is released when the disk is full. */
  reserve?: DiskReserve
}

export async function openSqlite({
  file,
  busyTimeout,
  reserve,
  faults = DEFAULT_DISK_FAULTS,
}: SqliteOptions): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true })
  await refuseUnflushedDatabase(file)
  await restoreLogFromCopy(file)
  const writer = connect(file)
  const reader = connect(file)
  reader.run('pragma query_only = on')
  // From now on SQLite itself does not wait for the write lock; `beginImmediate` does.
  writer.run('pragma busy_timeout = 0')
  const writeConnection = { connection: writer, tx: kyselyOnConnection(writer) }
  const readerThread = openReaderThread(file)
  // SQLite creates the log file (`-wal`) with the first read.
  reader.run('select count(*) from sqlite_schema')
  markLostChanges(file, reader)
  const writeLog = await openWriteLog({ file, writer, reader, readerThread, diskFaults: faults })
  const read = kyselyOnConnection(reader)

  async function closeConnections(closeFileLookup = () => {}): Promise<void> {
    await writeLog.close()
    await readerThread.close()
    closeFileLookup()
    // Finalizes the cached statements, which would keep the files open. (Kysely's `destroy` would do nothing
    // if only queries of `compileOnce` ran.)
    for (const queries of [read, writeConnection.tx]) executorOf(queries).executor.end?.()
    reader.close()
    // SQLite removes its own files beside the database when the last connection is closed.
    writer.close()
  }

  const migrationTransaction = createGroupedTransactions({ ...writeConnection, onCommit: () => {}, writeLog })
  await migrationTransaction(tx => migrate(tx as unknown as Kysely<unknown>, SQLITE_TRAITS)).catch(
    async error => {
      await closeConnections().catch(() => {})
      throw error
    },
  )
  const fileLookup = createFileLookup(reader)
  const waitOptions = busyTimeout === undefined ? {} : { busyTimeout }
  const transaction = withReserve(
    createGroupedTransactions({
      ...writeConnection,
      onCommit: fileLookup.expireCheck,
      writeLog,
      ...waitOptions,
    }),
    reserve,
  )

  return {
    read,
    slowRead: readerThread.queries,
    queryTraits: SQLITE_QUERY_TRAITS,
    transaction,
    waitUntilDurable: () => transaction(async () => {}),
    snapshot: sqliteSnapshot(file),
    currentState: fileLookup.currentState,
    knownState: fileLookup.knownState,
    servedFile: fileLookup.find,
    // Only processes on this machine use the file, so there is no other clock.
    clockOffset: () => 0,
    lostChangesMarker: () => lostChangesMarker(file),
    async tidy(mayContinue) {
      await reserve?.restore()
      await mergeSearchIndex(transaction, mayContinue)
    },
    async close() {
      // Transactions run in order: when this one is done, all earlier ones are too.
      await transaction(async () => {})
      await closeConnections(fileLookup.close)
    },
  }
}

/**
 * Returns a function that runs a transaction, and runs it again, after releasing the reserve, if the disk was
 * full. SQLite has rolled back the first attempt: a commit that does not fit changes nothing. Without a
 * reserve to release, or if the disk is still full, the function rejects with `DatabaseFullError`.
 */
function withReserve(
  transaction: Database['transaction'],
  reserve: Pick<DiskReserve, 'release'> | undefined,
): Database['transaction'] {
  return async (work, options) => {
    try {
      return await transaction(work, options)
    } catch (error) {
      if (errorCode(error) !== 'SQLITE_FULL') throw error
      if (!reserve?.release()) throw new DatabaseFullError({ cause: error })
    }
    return transaction(work, options).catch(error => {
      throw errorCode(error) === 'SQLITE_FULL' ? new DatabaseFullError({ cause: error }) : error
    })
  }
}

function connect(file: string): Connection {
  const connection = new Connection(file, { create: true, strict: true })
  connection.run(`pragma busy_timeout = ${OPENING_TIMEOUT}`)
  connection.run('pragma journal_mode = wal')
  connection.run('pragma synchronous = full')
  connection.run('pragma foreign_keys = on')
  connection.run('pragma temp_store = memory')
  return connection
}

/** Returns a function that reads a snapshot. Each call has its own thread and connection. */
function sqliteSnapshot(file: string): Database['snapshot'] {
  return async work => {
    await using readerThread = openReaderThread(file)
    await sql`begin`.execute(readerThread.queries)
    // SQLite takes the snapshot at the first read, not at `begin`.
    await sql`select count(*) from sqlite_schema`.execute(readerThread.queries)
    return await work(readerThread.queries)
  }
}
