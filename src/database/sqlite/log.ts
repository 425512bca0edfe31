/**
 * Flushes and checkpoints SQLite's log (`-wal`) on other threads. `bun:sqlite` is synchronous: a commit that
 * flushes would stop every reader for as long as the disk takes, and after 10 000 renamed files a checkpoint
 * takes a fifth of a second. Flushes and checkpoints on other threads delay only writes. (Only the last
 * checkpoint, at `close`, runs on this thread.)
 *
 * So all processes can read a commit before it is flushed. If the flush fails, the kernel considers the bytes
 * written although the log on disk may have a hole. Recovery would end there, even if later parts of the log
 * were flushed. From then on this process stores nothing until the log was copied, checkpointed and truncated
 * (`sqlite/log-copy.ts`). Every process that has the log open gets the error from its own flush; one that
 * opens it later finds the write lock held, or checkpoints the log first (decision 0036).
 */
import { Database as Connection } from 'bun:sqlite'
import { fdatasync } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { DiskFaults } from '../../base/system/disk-faults.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { longPath } from '../../storage/local/platform.ts'
import { DatabaseUnflushedError } from '../database.ts'
import { openHighWaterMark } from './high-water.ts'
import { copyLog, removeLogCopy } from './log-copy.ts'
import { openReaderThread, type ReaderThread } from './reader-thread.ts'
import { noteUnflushed } from './unflushed.ts'
import { LogLostError } from './wal.ts'
import { beginImmediate, rollBack } from './write-lock.ts'

/**
 * Number of rows changed by this process after which it checkpoints the log. A changed row adds about two
 * pages of 4 KB.
 */
const CHECKPOINT_AFTER_CHANGES = 2_000

/**
 * Milliseconds between two attempts to checkpoint a log that could not be flushed, and the time after which
 * this process gives up and exits.
 */
const CHECKPOINT_RETRY_PAUSE = 500
const CHECKPOINT_RETRY_TIMEOUT = 5 * 60_000

/**
 * Milliseconds that `checkpointAndTruncate` waits for readers to stop using the log. It blocks all writes
 * while it waits.
 */
const READER_TIMEOUT = 200

const flushData = promisify(fdatasync)

export type WriteLog = Awaited<ReturnType<typeof openWriteLog>>

export interface WriteLogParts {
  file: string
  writer: Connection
  reader: Connection
  readerThread: ReaderThread
  diskFaults: Pick<DiskFaults, 'report' | 'giveUp'>
  retryPause?: number
  giveUpAfter?: number
}

/**
 * Opens the log of a database. From then on commits of `writer` do not flush; call `flush` after them.
 * Rejects if the log has content that cannot be checkpointed. Does not reject if the only reason is that
 * other processes have the database open.
 */
export async function openWriteLog(parts: WriteLogParts) {
  const {
    file,
    writer,
    reader,
    readerThread,
    diskFaults: faults,
    retryPause = CHECKPOINT_RETRY_PAUSE,
    giveUpAfter = CHECKPOINT_RETRY_TIMEOUT,
  } = parts
  // The descriptor stays valid: SQLite does not replace the log file while a connection is open.
  const logHandle = await open(longPath(`${file}-wal`), 'r+')
  // With `normal` SQLite still flushes where the order matters: the header of a new log, and the log before a
  // checkpoint.
  writer.run('pragma synchronous = normal')
  writer.run('pragma wal_autocheckpoint = 0')
  const highWater = openHighWaterMark(file, writer, logHandle.fd)
  let changesAtCheckpoint = 0
  let isClosed = false
  let blockingError: DatabaseUnflushedError | null = null

  /**
   * Copies the log, then checkpoints and truncates it. If copying fails, the write lock is kept, so that no
   * process appends to the log.
   */
  async function copyAndCheckpoint(): Promise<void> {
    if (!writer.inTransaction) await beginImmediate(writer)
    const frameCount = countFrames(reader)
    if (frameCount > 0) await copyLog(file, logHandle, frameCount)
    rollBack(writer)
    await checkpointAndTruncate(file)
    await flushData(logHandle.fd)
    await removeLogCopy(file)
    // Each open descriptor reports a failed flush once. The descriptors of the reader thread have not
    // reported it yet, so they are closed.
    await readerThread.close()
  }

  async function retryCheckpoint(): Promise<void> {
    const deadline = performance.now() + giveUpAfter
    for (;;) {
      await Bun.sleep(retryPause)
      if (isClosed) return
      try {
        await copyAndCheckpoint()
        blockingError = null
        return
      } catch (error) {
        if (error instanceof LogLostError)
          return faults.giveUp('what was not flushed is lost, the next start goes on without it', error)
        if (isDatabaseFileError(error)) return noteDatabaseFileUnflushed(error)
        if (performance.now() > deadline) return faults.giveUp('the log cannot be carried over', error)
      }
    }
  }

  /**
   * Called when the log could not be written or flushed. Until the log is checkpointed, no transaction is
   * accepted.
   */
  function blockUntilCheckpointed(cause: unknown): void {
    faults.report('log', cause)
    if (blockingError) return
    blockingError = new DatabaseUnflushedError('the log could not be flushed', { cause })
    void retryCheckpoint()
  }

  /**
   * Called when the database file could not be written or flushed: from now on no process may checkpoint or
   * truncate the log, because only the log has all changes.
   */
  async function noteDatabaseFileUnflushed(cause: unknown): Promise<void> {
    blockingError = new DatabaseUnflushedError('the database file could not be flushed', { cause })
    faults.report('checkpoint', cause)
    try {
      await noteUnflushed(file)
    } catch (error) {
      // Without the note the next start would not know of the failure, so this process does not exit, but
      // stores nothing.
      return faults.report('checkpoint', error)
    }
    faults.giveUp('the database file could not be flushed; restart the machine', cause)
  }

  /** Flushes the log. Resolves when everything that was committed before survives a power cut. */
  async function flush(): Promise<void> {
    const writeHighWaterMark = highWater.onCommit()
    await flushData(logHandle.fd).catch(cause => {
      blockUntilCheckpointed(cause)
      throw new DatabaseUnflushedError('what was committed could not be flushed', {
        cause,
        mayBeStored: true,
      })
    })
    writeHighWaterMark()
  }

  async function onCheckpointFailed(error: unknown): Promise<void> {
    if (isDatabaseFileError(error)) return noteDatabaseFileUnflushed(error)
    // The disk may be full. The log grows until the next attempt.
    faults.report('checkpoint', error)
  }

  if ((await logHandle.stat()).size > 0) {
    await copyAndCheckpoint().catch(async cause => {
      // `LogInUseError` means that other processes have the database open. If the log were broken, one of
      // them would hold the write lock, and this process would not have got it.
      if (cause instanceof LogInUseError) return
      rollBack(writer)
      await logHandle.close()
      throw new DatabaseUnflushedError('the log cannot be carried over', { cause })
    })
  }

  return {
    /** Called in a transaction that is about to be committed. */
    beforeCommit: highWater.raiseNumber,
    flush,
    distrustLog: blockUntilCheckpointed,
    /**
     * Why nothing can be stored at present; null if changes can be stored. While it is set, callers must run
     * no statement on the writing connection.
     */
    blockingError: () => blockingError,
    /**
     * Checkpoints the log if `CHECKPOINT_AFTER_CHANGES` rows were changed. No write of this process may begin
     * before this resolves: the log restarts from its beginning only if nothing is added while it is
     * checkpointed; otherwise it grows.
     */
    async checkpoint() {
      if (isClosed || blockingError) return
      const { total } = writer.query<{ total: number }, []>('select total_changes() as total').get()!
      if (total - changesAtCheckpoint < CHECKPOINT_AFTER_CHANGES) return
      changesAtCheckpoint = total
      highWater.onCheckpoint()
      try {
        // This query opens the descriptors of the reader thread before the flush: the kernel reports a write
        // error only to descriptors that were open when it happened, so either this flush or the checkpoint
        // gets it.
        await sql`select count(*) from sqlite_schema`.execute(readerThread.queries)
        await flush()
        await sql`pragma wal_checkpoint(passive)`.execute(readerThread.queries)
      } catch (error) {
        if (!blockingError) await onCheckpointFailed(error)
      }
    },
    /** If this rejects, the connections must stay open: closing them would make SQLite checkpoint again. */
    async close() {
      if (blockingError) throw blockingError
      isClosed = true
      try {
        checkpointOnThisThread(file)
      } catch (error) {
        await onCheckpointFailed(error)
      }
      if (blockingError) throw blockingError
      await logHandle.close()
    },
  }
}

class LogInUseError extends Error {}

/** Checkpoints and truncates the whole log, on a new connection, whose descriptors have no pending error. */
async function checkpointAndTruncate(file: string): Promise<void> {
  await using thread = openReaderThread(file)
  await sql`pragma busy_timeout = ${sql.raw(String(READER_TIMEOUT))}`.execute(thread.queries)
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(thread.queries)
  if (rows[0]?.busy !== 0) throw new LogInUseError('somebody reads the log')
}

/**
 * Checkpoints the log on this thread. SQLite would also do this when the last connection is closed, but would
 * not report errors.
 */
function checkpointOnThisThread(file: string): void {
  using connection = new Connection(file)
  using statement = connection.prepare('pragma wal_checkpoint(passive)')
  statement.get()
}

/**
 * Whether a checkpoint failed to write or flush the database file, while the log is safe. A full disk is not
 * such an error: the next checkpoint repeats what did not fit.
 */
const isDatabaseFileError = (error: unknown) => errorCode(error).startsWith('SQLITE_IOERR')

/** Counts the committed frames in the log. Must not run on the connection that holds the write lock. */
function countFrames(reader: Connection): number {
  using statement = reader.prepare<{ log: number }, []>('pragma wal_checkpoint(noop)')
  return statement.get()!.log
}
