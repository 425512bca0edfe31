/**
 * Local staging: the bytes of each running upload are in memory or in a file in a local folder, whichever
 * adapter stores them in the end.
 */
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../base/hash/sha256.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { type ContentDigest, type Staging, type Storage, StorageFullError } from '../storage.ts'
import { flushFile, longPath } from './platform.ts'
import { openStagingFolder, type StagingFolderParts } from './staging-folder.ts'

/**
 * The bytes that `probeScratch` writes: a whole block, because a file system may store a few bytes in the
 * inode without using disk space.
 */
const PROBE_BYTES = new Uint8Array(4096)

/**
 * Turns the errors of a full disk, an exhausted quota or a file larger than allowed into `StorageFullError`;
 * returns others unchanged.
 */
export function asStorageError(error: unknown): unknown {
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error))
  return isFull ? new StorageFullError({ cause: error }) : error
}

export type Scratch = Pick<Storage, 'scratch' | 'stage' | 'stageWhole' | 'adopt' | 'clearStaging' | 'close'>

export interface ScratchParts extends StagingFolderParts {
  /**
   * Whether staged bytes are flushed to the local disk. Not needed if they are sent to a store on another
   * machine before their row is written.
   */
  isFlushed: boolean
}

export async function createScratch(options: ScratchParts): Promise<Scratch> {
  const { isFlushed } = options
  const folder = await openStagingFolder(options)
  const newFilePath = () => longPath(join(folder.path, options.newId()))
  return {
    scratch: folder.path,
    adopt: file => createStaging(file, { isFlushed }),
    clearStaging: folder.clear,
    close: folder.close,

    stageWhole: bytes => createStaging(newFilePath(), { isFlushed, bytes }),

    async stage() {
      const file = newFilePath()
      try {
        return createStaging(file, { isFlushed, handle: await open(file, 'wx') })
      } catch (error) {
        throw asStorageError(error)
      }
    },
  }
}

/**
 * Stages a few bytes in a file, flushes it if `isFlushed` is set, passes it to `use` and removes it. Rejects
 * if any of that fails except the removal.
 */
export async function probeScratch(
  { stage }: Pick<Scratch, 'stage'>,
  use: (file: string, content: ContentDigest) => Promise<void> = async () => {},
): Promise<void> {
  await using staging = await stage()
  await staging.write(PROBE_BYTES)
  await staging.finish()
  await use(await staging.file(), { size: PROBE_BYTES.length, sha256: sha256(PROBE_BYTES) })
}

interface StagingOptions {
  isFlushed: boolean
  handle?: FileHandle
  /** All bytes of the file, if they are not written to it yet. */
  bytes?: Uint8Array<ArrayBuffer>
}

/** Creates a `Staging`. If neither `handle` nor `bytes` is given, other code has already written the file. */
function createStaging(path: string, { isFlushed, handle, bytes }: StagingOptions): Staging {
  let bytesInMemory = bytes ?? null
  let pendingWrite: Promise<void> | undefined
  let isFinished = false
  let isFileGone = false

  async function writeWhole(content: Uint8Array): Promise<void> {
    try {
      await writeFile(path, content, { flag: 'wx' })
    } catch (error) {
      isFileGone = true
      // If the file existed before, it belongs to another upload.
      if (errorCode(error) !== 'EEXIST') await rm(path, { force: true })
      throw asStorageError(error)
    }
  }

  async function file(): Promise<string> {
    if (bytesInMemory) pendingWrite = writeWhole(bytesInMemory)
    bytesInMemory = null
    await pendingWrite
    return path
  }

  async function close(): Promise<void> {
    const openHandle = handle
    handle = undefined
    await openHandle?.close()
  }

  async function discard(): Promise<void> {
    await close()
    await pendingWrite?.catch(() => {})
    // An error must not change the outcome for the caller; `clearStaging` removes what is left.
    if (!isFileGone && !bytesInMemory) await rm(path, { force: true }).catch(() => {})
    bytesInMemory = null
    isFileGone = true
  }

  return {
    file,
    get bytes() {
      return bytesInMemory
    },
    async write(chunk) {
      if (!handle) throw new Error('these staged bytes are complete')
      try {
        let writtenLength = 0
        while (writtenLength < chunk.length)
          writtenLength += (await handle.write(chunk, writtenLength)).bytesWritten
      } catch (error) {
        throw asStorageError(error)
      }
    },
    async finish() {
      if (isFinished) return
      try {
        if (isFlushed) await (handle ? handle.sync() : flushFile(await file()))
        isFinished = true
      } catch (error) {
        throw asStorageError(error)
      } finally {
        await close()
      }
    },
    discard,
    [Symbol.asyncDispose]: discard,
    markMoved() {
      isFileGone = true
    },
  }
}
