/**
 * A copy of SQLite's log, made while a log that could not be flushed is checkpointed. The log on disk then
 * has a hole, and recovery after a power cut would end there: before a checkpoint writes parts of what
 * follows the hole into the database file, all of the log has to be stored elsewhere. Rewriting the log
 * itself would not help: after ext4 has failed to write new blocks, it accepts the same bytes at the same
 * place again, flushes them without an error, and reads zeros there after the next mount (decision 0036).
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exists } from '../../storage/local/exists.ts'
import { bootId, flushFolder, longPath } from '../../storage/local/platform.ts'
import { LOG_COPY } from './file.ts'
import { checkedLog, saltsOf } from './wal.ts'

/** Makes a durable copy of the log, followed by the boot id. The caller must hold the write lock. */
export async function copyLog(file: string, log: FileHandle, frames: number): Promise<void> {
  const copy = longPath(file + LOG_COPY)
  const part = `${copy}.part`
  await rm(part, { force: true })
  {
    await using handle = await open(part, 'wx')
    let length = 0
    for await (const chunk of checkedLog(log, frames)) length += await writeAt(handle, chunk, length)
    await writeAt(handle, Buffer.from((await bootId()) ?? ''), length)
    await handle.sync()
  }
  await rename(part, copy)
  await flushFolder(dirname(file))
}

export async function removeLogCopy(file: string): Promise<void> {
  for (const end of ['', '.part']) await rm(longPath(file + LOG_COPY + end), { force: true })
}

/**
 * Called before the database is opened: if a copy was left, writes it back to the log. If the log is intact
 * this changes nothing, so other processes may have the database open. The copy stays until the log was
 * checkpointed.
 */
export async function restoreFromCopy(file: string): Promise<void> {
  const copy = longPath(file + LOG_COPY)
  if (!(await exists(copy))) return
  const log = longPath(`${file}-wal`)
  await using from = await open(copy, 'r')
  await using into = await open(log, (await exists(log)) ? 'r+' : 'w+')
  const [copied, present] = [await saltsOf(from), await saltsOf(into)]
  const boot = (await bootId()) ?? ''
  const text = await from.readFile()
  const bytes = text.subarray(0, text.length - boot.length)
  const isOfThisBoot = boot !== '' && text.toString('latin1', bytes.length) === boot
  // A log without a header was checkpointed completely, or its header was lost in a power cut.
  const isNeeded = present === null ? !isOfThisBoot : present === copied
  if (!isNeeded) return removeLogCopy(file)
  await writeAt(into, bytes, 0)
  await into.datasync()
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  for (let written = 0; written < bytes.length; ) {
    const left = bytes.length - written
    written += (await handle.write(bytes, written, left, position + written)).bytesWritten
  }
  return bytes.length
}
