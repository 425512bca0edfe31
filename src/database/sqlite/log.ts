/**
 * SQLite's log (`-wal`), flushed and checkpointed on other threads. `bun:sqlite` is synchronous: a commit
 * that flushes would stop every reader for as long as the disk takes, and after 10 000 renamed files a
 * checkpoint takes a fifth of a second. Here only writes wait for both.
 *
 * Therefore all processes see a commit before it is flushed. If the flush fails, the kernel considers the
 * bytes written, the log on disk has a hole, and recovery would end there, whatever was flushed behind it.
 * From then on this process stores nothing until the log was copied, checkpointed and truncated
 * (`sqlite/log-copy.ts`). Every process that has the log open gets the error from its own flush; one that
 * opens it later finds the write lock held, or checkpoints the log first (decision 0036).
 */
import { Database as Connection } from 'bun:sqlite'
import { fdatasync } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { DiskFaults } from '../../base/disk-faults.ts'
import { errorCode } from '../../base/error-code.ts'
import { longPath } from '../../storage/local/platform.ts'
import { DatabaseUnflushedError } from '../database.ts'
import { openHighWater } from './high-water.ts'
import { copyLog, removeLogCopy } from './log-copy.ts'
import { openReaderThread, type ReaderThread } from './reader-thread.ts'
import { noteUnflushed } from './unflushed.ts'
import { LogLostError } from './wal.ts'
import { beginImmediate, rollBack } from './write-lock.ts'

/** Number of changed rows after which the log is checkpointed; each changes about two pages of 4 KB. */
const CHECKPOINT_AFTER_CHANGES = 2_000

/**
 * Milliseconds between two attempts to checkpoint an unflushed log, and milliseconds until this process gives
 * up.
 */
const RETRY_PAUSE = 500
const GIVE_UP_AFTER = 5 * 60_000

/** Milliseconds to wait for readers to stop using the log; all writes are blocked meanwhile. */
const READERS_PATIENCE = 200

const flushData = promisify(fdatasync)

export type WriteLog = Awaited<ReturnType<typeof openWriteLog>>

export interface WriteLogParts {
  file: string
  writer: Connection
  reader: Connection
  readerThread: ReaderThread
  faults: Pick<DiskFaults, 'report' | 'giveUp'>
  retryPause?: number
  giveUpAfter?: number
}

/**
 * Opens the log. From now on no commit of `writer` flushes by itself. Rejects if an existing log cannot be
 * checkpointed.
 */
export async function openWriteLog(parts: WriteLogParts) {
  const {
    file,
    writer,
    reader,
    readerThread,
    faults,
    retryPause = RETRY_PAUSE,
    giveUpAfter = GIVE_UP_AFTER,
  } = parts
  // SQLite keeps the same log while a connection is open.
  const log = await open(longPath(`${file}-wal`), 'r+')
  // SQLite then still flushes where the order matters: the header of a new log, and the log before a
  // checkpoint.
  writer.run('pragma synchronous = normal')
  writer.run('pragma wal_autocheckpoint = 0')
  const highWater = openHighWater(file, writer, log.fd)
  let changesAtCheckpoint = 0
  let isClosed = false
  let blockingError: DatabaseUnflushedError | null = null

  /**
   * Copies the log, then checkpoints and truncates it. If copying fails, the write lock is kept, so that no
   * process appends to the log.
   */
  async function copyAndCheckpoint(): Promise<void> {
    if (!writer.inTransaction) await beginImmediate(writer)
    const frames = countFrames(reader)
    if (frames > 0) await copyLog(file, log, frames)
    rollBack(writer)
    await checkpointAndTruncate(file)
    await flushData(log.fd)
    await removeLogCopy(file)
    // An open descriptor reports a failed flush once. The descriptors of the thread have not reported this
    // one yet, so they are closed.
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

  /** Called when the log could not be flushed: until it is checkpointed, `trouble` returns the error. */
  function distrustLog(cause: unknown): void {
    faults.report('log', cause)
    if (blockingError) return
    blockingError = new DatabaseUnflushedError('the log could not be flushed', { cause })
    void retryCheckpoint()
  }

  /**
   * Called when the database file could not be flushed: from now on no process may checkpoint or shorten the
   * log.
   */
  async function noteDatabaseFileUnflushed(cause: unknown): Promise<void> {
    blockingError = new DatabaseUnflushedError('the database file could not be flushed', { cause })
    faults.report('checkpoint', cause)
    try {
      await noteUnflushed(file)
    } catch (error) {
      // Without the note the next start would not know of the failure, so this process keeps running and
      // stores nothing.
      return faults.report('checkpoint', error)
    }
    faults.giveUp('the database file could not be flushed; restart the machine', cause)
  }

  /** Resolves when everything that was committed before survives a power cut. */
  async function flush(): Promise<void> {
    const writeHighWaterMark = highWater.committed()
    await flushData(log.fd).catch(cause => {
      distrustLog(cause)
      throw new DatabaseUnflushedError('what was committed could not be flushed', {
        cause,
        mayBeStored: true,
      })
    })
    writeHighWaterMark()
  }

  async function onCheckpointFailed(error: unknown): Promise<void> {
    if (isDatabaseFileError(error)) return noteDatabaseFileUnflushed(error)
    // If the disk is full, the log grows until the next attempt.
    faults.report('checkpoint', error)
  }

  if ((await log.stat()).size > 0) {
    await copyAndCheckpoint().catch(async cause => {
      // `ReadersRemain` means that other processes have the database open. If its log were broken, one of
      // them would hold the write lock.
      if (cause instanceof ReadersRemainError) return
      rollBack(writer)
      await log.close()
      throw new DatabaseUnflushedError('the log cannot be carried over', { cause })
    })
  }

  return {
    /** Called in a transaction that is about to be committed. */
    beforeCommit: highWater.raise,
    flush,
    distrustLog,
    /**
     * Why nothing can be stored at present. While it is set, no statement may run on the writing connection.
     */
    blockingError: () => blockingError,
    /**
     * Checkpoints a long log. No write of this process may begin before it resolves: the log restarts,
     * instead of growing, only if nothing was added before its end had been checkpointed.
     */
    async checkpoint() {
      if (isClosed || blockingError) return
      const { total } = writer.query<{ total: number }, []>('select total_changes() as total').get()!
      if (total - changesAtCheckpoint < CHECKPOINT_AFTER_CHANGES) return
      changesAtCheckpoint = total
      highWater.renew()
      try {
        // Opens the thread's descriptors before the flush: the kernel reports a write error only to
        // descriptors that were open then, so either this flush or the checkpoint gets it.
        await sql`select count(*) from sqlite_schema`.execute(readerThread.queries)
        await flush()
        await sql`pragma wal_checkpoint(passive)`.execute(readerThread.queries)
      } catch (error) {
        if (!blockingError) await onCheckpointFailed(error)
      }
    },
    /** If it rejects, the connections must stay open, so that SQLite does not checkpoint again. */
    async close() {
      if (blockingError) throw blockingError
      isClosed = true
      try {
        checkpointAtOnce(file)
      } catch (error) {
        await onCheckpointFailed(error)
      }
      if (blockingError) throw blockingError
      await log.close()
    },
  }
}

class ReadersRemainError extends Error {}

/** Checkpoints and truncates the whole log, on connections that have no pending error. */
async function checkpointAndTruncate(file: string): Promise<void> {
  await using thread = openReaderThread(file)
  await sql`pragma busy_timeout = ${sql.raw(String(READERS_PATIENCE))}`.execute(thread.queries)
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(thread.queries)
  if (rows[0]?.busy !== 0) throw new ReadersRemainError('somebody reads the log')
}

/**
 * Checkpoints the log. SQLite also does this when the last connection is closed, but then does not report
 * errors.
 */
function checkpointAtOnce(file: string): void {
  using fresh = new Connection(file)
  using statement = fresh.prepare('pragma wal_checkpoint(passive)')
  statement.get()
}

/**
 * Errors of the database file, while the log is safe. A full disk is none of them, because nothing was
 * written.
 */
const isDatabaseFileError = (error: unknown) => errorCode(error).startsWith('SQLITE_IOERR')

/**
 * Number of committed frames, without a checkpoint. Must not run on the connection that holds the write lock.
 */
function countFrames(reader: Connection): number {
  using statement = reader.prepare<{ log: number }, []>('pragma wal_checkpoint(noop)')
  return statement.get()!.log
}
