/** Local staging: each running upload is a file in this folder, whichever adapter stores it in the end. */
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { sha256 } from '../../base/hash/sha256.ts'
import { type Content, type Staging, type Storage, StorageFullError } from '../storage.ts'
import { flushFile, longPath } from './platform.ts'
import { openStagingFolder, type StagingParts } from './staging-folder.ts'

/**
 * The bytes of the probe: a whole block, because a file system may store a few bytes in the inode without
 * using disk space.
 */
const PROBE = new Uint8Array(4096)

/** Turns the errors of a full disk or quota into `StorageFullError`; returns others unchanged. */
export function asStorageError(error: unknown): unknown {
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error))
  return full ? new StorageFullError({ cause: error }) : error
}

export type Scratch = Pick<Storage, 'scratch' | 'stage' | 'stageWhole' | 'adopt' | 'clearStaging' | 'close'>

export interface ScratchParts extends StagingParts {
  /**
   * Whether staged bytes are flushed. This is not needed if another machine stores the bytes before their row
   * is written.
   */
  flushed: boolean
}

export async function createScratch(options: ScratchParts): Promise<Scratch> {
  const { flushed } = options
  const folder = await openStagingFolder(options)
  const newFile = () => longPath(join(folder.path, options.newId()))
  return {
    scratch: folder.path,
    adopt: file => createStaging(file, { flushed }),
    clearStaging: folder.clear,
    close: folder.close,

    stageWhole: bytes => createStaging(newFile(), { flushed, bytes }),

    async stage() {
      const file = newFile()
      try {
        return createStaging(file, { flushed, handle: await open(file, 'wx') })
      } catch (error) {
        throw asStorageError(error)
      }
    },
  }
}

/** Writes a few bytes, flushes them, passes them to `use` and removes them; rejects if any of that fails. */
export async function probeScratch(
  { stage }: Pick<Scratch, 'stage'>,
  use: (file: string, content: Content) => Promise<void> = async () => {},
): Promise<void> {
  await using staging = await stage()
  await staging.write(PROBE)
  await staging.finish()
  await use(await staging.file(), { size: PROBE.length, sha256: sha256(PROBE) })
}

interface StagingOptions {
  flushed: boolean
  handle?: FileHandle
  /** All bytes, if they are not written yet. */
  bytes?: Uint8Array<ArrayBuffer>
}

/** Creates a staging. If neither handle nor bytes are given, other code has written the file. */
function createStaging(path: string, { flushed, handle, bytes }: StagingOptions): Staging {
  let inMemory = bytes ?? null
  let writing: Promise<void> | undefined
  let finished = false
  let gone = false

  async function writeWhole(whole: Uint8Array): Promise<void> {
    try {
      await writeFile(path, whole, { flag: 'wx' })
    } catch (error) {
      gone = true
      // If the file existed before, it belongs to another upload.
      if (errorCode(error) !== 'EEXIST') await rm(path, { force: true })
      throw asStorageError(error)
    }
  }

  async function file(): Promise<string> {
    if (inMemory) writing = writeWhole(inMemory)
    inMemory = null
    await writing
    return path
  }

  async function close(): Promise<void> {
    const open = handle
    handle = undefined
    await open?.close()
  }

  async function discard(): Promise<void> {
    await close()
    await writing?.catch(() => {})
    // An error must not change the outcome for the caller; `clearStaging` removes what is left.
    if (!gone && !inMemory) await rm(path, { force: true }).catch(() => {})
    inMemory = null
    gone = true
  }

  return {
    file,
    get bytes() {
      return inMemory
    },
    async write(chunk) {
      if (!handle) throw new Error('these staged bytes are complete')
      try {
        let written = 0
        while (written < chunk.length) written += (await handle.write(chunk, written)).bytesWritten
      } catch (error) {
        throw asStorageError(error)
      }
    },
    async finish() {
      if (finished) return
      try {
        if (flushed) await (handle ? handle.sync() : flushFile(await file()))
        finished = true
      } catch (error) {
        throw asStorageError(error)
      } finally {
        await close()
      }
    },
    discard,
    [Symbol.asyncDispose]: discard,
    moved() {
      gone = true
    },
  }
}
