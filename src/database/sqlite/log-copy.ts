/**
 * A copy of SQLite's log. It is made before checkpointing a log that could not be flushed, or one that has
 * content when the database is opened. After a failed flush the log on disk may have a hole, at which
 * recovery after a power cut would end. A checkpoint also writes pages that come after the hole into the
 * database file, so the whole log has to be stored elsewhere first. Rewriting the log itself would not help:
 * after ext4 has failed to write new blocks, it accepts the same bytes at the same place again, flushes them
 * without an error, and reads zeros there after the next mount (decision 0036).
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exists } from '../../storage/local/exists.ts'
import { bootId, flushFolder, longPath } from '../../storage/local/platform.ts'
import { LOG_COPY_SUFFIX } from './file.ts'
import { readVerifiedLog, saltsOf } from './wal.ts'

/**
 * Makes a durable copy of the header and the first `frameCount` frames of the log, followed by the boot id.
 * The caller must hold the write lock.
 */
export async function copyLog(file: string, logHandle: FileHandle, frameCount: number): Promise<void> {
  const copyPath = longPath(file + LOG_COPY_SUFFIX)
  const partFile = `${copyPath}.part`
  await rm(partFile, { force: true })
  {
    await using handle = await open(partFile, 'wx')
    let writtenSize = 0
    for await (const chunk of readVerifiedLog(logHandle, frameCount))
      writtenSize += await writeAt(handle, chunk, writtenSize)
    await writeAt(handle, Buffer.from((await bootId()) ?? ''), writtenSize)
    await handle.sync()
  }
  await rename(partFile, copyPath)
  await flushFolder(dirname(file))
}

export async function removeLogCopy(file: string): Promise<void> {
  for (const suffix of ['', '.part']) await rm(longPath(file + LOG_COPY_SUFFIX + suffix), { force: true })
}

/**
 * Called before the database is opened: if a copy of the log exists, writes it back to the log, or removes
 * the copy if the log was checkpointed after the copy was made. If the log is intact, writing changes
 * nothing, so other processes may have the database open. A copy that was written back stays until the log is
 * checkpointed.
 */
export async function restoreLogFromCopy(file: string): Promise<void> {
  const copyPath = longPath(file + LOG_COPY_SUFFIX)
  if (!(await exists(copyPath))) return
  const logPath = longPath(`${file}-wal`)
  await using copyHandle = await open(copyPath, 'r')
  await using logHandle = await open(logPath, (await exists(logPath)) ? 'r+' : 'w+')
  const [copiedSalts, currentSalts] = [await saltsOf(copyHandle), await saltsOf(logHandle)]
  const currentBootId = (await bootId()) ?? ''
  const content = await copyHandle.readFile()
  const logBytes = content.subarray(0, content.length - currentBootId.length)
  const isCopyOfThisBoot =
    currentBootId !== '' && content.toString('latin1', logBytes.length) === currentBootId
  // If the copy was made during this boot, a log without a header was checkpointed completely. Otherwise the
  // header was lost in a power cut.
  const mustRestore = currentSalts === null ? !isCopyOfThisBoot : currentSalts === copiedSalts
  if (!mustRestore) return removeLogCopy(file)
  await writeAt(logHandle, logBytes, 0)
  await logHandle.datasync()
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  for (let writtenSize = 0; writtenSize < bytes.length; ) {
    const remainingSize = bytes.length - writtenSize
    writtenSize += (await handle.write(bytes, writtenSize, remainingSize, position + writtenSize))
      .bytesWritten
  }
  return bytes.length
}
