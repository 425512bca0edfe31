/** Staging on this machine: each running upload is one file in this folder, whichever adapter stores it in the end. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewId } from '../ids.ts'
import { sha256 } from '../sha256.ts'
import { errorCode, longPath, writeDurably } from './platform.ts'
import { openStagingFolder } from './staging-folder.ts'
import { type Content, type Staging, type Storage, StorageFullError } from './storage.ts'

/** A whole block, so that the probe needs space on the disk. A file system may store fewer bytes beside the name. */
const PROBE = new Uint8Array(4096)

/** Turns the errors of a full disk or quota into `StorageFullError`; returns any other error unchanged. */
export function asStorageError(error: unknown): unknown {
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error))
  return full ? new StorageFullError({ cause: error }) : error
}

export interface Scratch
  extends Pick<Storage, 'scratch' | 'stage' | 'stageWhole' | 'adopt' | 'clearStaging'> {
  close(): Promise<void>
}

/** `root`: the folder in which every process that uses this store has a folder of its own. */
export async function createScratch(options: { root: string; newId: NewId }): Promise<Scratch> {
  const folder = await openStagingFolder(options)
  const newFile = () => longPath(join(folder.path, options.newId()))
  return {
    scratch: folder.path,
    adopt: file => staged(file),
    clearStaging: folder.clear,
    close: folder.close,

    async stageWhole(bytes) {
      const file = newFile()
      try {
        await writeDurably(file, bytes)
        return staged(file, { finished: true })
      } catch (error) {
        // A file that was there before belongs to another upload.
        if (errorCode(error) !== 'EEXIST') await rm(file, { force: true })
        throw asStorageError(error)
      }
    },

    async stage() {
      const file = newFile()
      try {
        return staged(file, { handle: await open(file, 'wx') })
      } catch (error) {
        throw asStorageError(error)
      }
    },
  }
}

/** Writes a few bytes, flushes them, lets `use` have them and removes them; rejects when any of that fails. */
export async function probeScratch(
  { stage }: Pick<Scratch, 'stage'>,
  use: (file: string, content: Content) => Promise<void> = async () => {},
): Promise<void> {
  await using staging = await stage()
  await staging.write(PROBE)
  await staging.finish()
  await use(staging.file, { size: PROBE.length, sha256: sha256(PROBE) })
}

/** Without a handle, the file was written by other code and is opened only to be flushed, unless it is `finished`. */
function staged(file: string, written: { handle?: FileHandle; finished?: boolean } = {}): Staging {
  let { handle, finished = false } = written
  let gone = false

  async function close(): Promise<void> {
    const open = handle
    handle = undefined
    await open?.close()
  }

  async function discard(): Promise<void> {
    await close()
    if (!gone) await rm(file, { force: true })
    gone = true
  }

  return {
    file,
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
        handle ??= await open(file, 'r+')
        await handle.sync()
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
