/**
 * Disk space reserved for the moment when the disk is full. Deleting, emptying the trash and signing in all
 * write to the database; without a reserve none of them would work on a full disk, and no space could be
 * freed through the service. The first transaction that finds the disk full releases the reserve and is
 * repeated. From then on no file is stored until there is room for a new reserve, so that uploads do not use
 * the space that deletions need.
 *
 * The size of the reserve file shows its state to all processes that use the data folder: if the file is
 * missing, no reserve has been made yet; if it is empty, the reserve was released.
 */
import { randomFillSync } from 'node:crypto'
import { statSync, truncateSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../base/system/error-code.ts'
import { longPath } from './platform.ts'
import { diskSpace } from './space.ts'

export const RESERVE_FILE = 'reserve'
/**
 * Size of the reserve in bytes, enough for SQLite's write-ahead log between two checkpoints while the trash
 * is emptied.
 */
const RESERVE_BYTES = 16 * 1024 * 1024
/** Bytes that must be free before a reserve is made. A disk with less gets no reserve. */
const MIN_FREE_BYTES = 2 * RESERVE_BYTES
const CHUNK_BYTES = 1024 * 1024

export type DiskReserve = ReturnType<typeof openDiskReserve>

export function openDiskReserve(dataDir: string) {
  const file = longPath(join(dataDir, RESERVE_FILE))
  /** Size of the file in bytes; null if it is missing. */
  function fileSize(): number | null {
    return statSync(file, { throwIfNoEntry: false })?.size ?? null
  }
  let restorePromise: Promise<void> | null = null

  async function restore(): Promise<void> {
    if ((fileSize() ?? 0) > 0 || ((await diskSpace(dataDir))?.free ?? 0) < MIN_FREE_BYTES) return
    try {
      await writeReserve(file)
    } catch (error) {
      if (!['ENOSPC', 'EDQUOT'].includes(errorCode(error))) throw error
    }
  }

  return {
    /**
     * Frees the space. Returns false if no reserve has ever been made: then there is nothing to free, and the
     * caller need not repeat its failed write.
     */
    release() {
      const size = fileSize()
      if (size === null) return false
      if (size > 0) truncateSync(file, 0)
      return true
    },
    /** Makes the reserve if it is missing or was released, provided that there is room. */
    restore() {
      restorePromise ??= restore().finally(() => {
        restorePromise = null
      })
      return restorePromise
    },
    /** Whether a file may be stored; false while the reserve is released and cannot be restored. */
    async allowsStoring() {
      if (fileSize() !== 0) return true
      await this.restore()
      return fileSize() !== 0
    },
  }
}

/**
 * Writes the reserve. The file gets its final name only when complete, so that an incomplete one does not
 * count. Its bytes are random, because some file systems compress files.
 */
async function writeReserve(file: string): Promise<void> {
  const incompleteFile = `${file}.part`
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  try {
    {
      await using handle = await open(incompleteFile, 'w')
      for (let writtenBytes = 0; writtenBytes < RESERVE_BYTES; writtenBytes += CHUNK_BYTES)
        await handle.write(randomFillSync(chunk))
      await handle.sync()
    }
    await rename(incompleteFile, file)
  } catch (error) {
    await rm(incompleteFile, { force: true })
    throw error
  }
}
