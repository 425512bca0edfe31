/** Staging on this machine: each running upload is one file in this folder, whichever adapter stores it in the end. */
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
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

export interface ScratchParts {
  /** The folder in which every process that uses this store has a folder of its own. */
  root: string
  newId: NewId
  /** Whether staged bytes are flushed: not where another machine keeps them and has them before their row is written. */
  flushed: boolean
}

export async function createScratch(options: ScratchParts): Promise<Scratch> {
  const { flushed } = options
  const folder = await openStagingFolder(options)
  const newFile = () => longPath(join(folder.path, options.newId()))
  return {
    scratch: folder.path,
    adopt: file => staged(file, { flushed }),
    clearStaging: folder.clear,
    close: folder.close,

    async stageWhole(bytes) {
      const file = newFile()
      try {
        await (flushed ? writeDurably(file, bytes) : writeFile(file, bytes, { flag: 'wx' }))
        return staged(file, { flushed, bytes })
      } catch (error) {
        // A file that was there before belongs to another upload.
        if (errorCode(error) !== 'EEXIST') await rm(file, { force: true })
        throw asStorageError(error)
      }
    },

    async stage() {
      const file = newFile()
      try {
        return staged(file, { flushed, handle: await open(file, 'wx') })
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

interface Written {
  flushed: boolean
  handle?: FileHandle
  /** All bytes of the file, which is complete. */
  bytes?: Uint8Array<ArrayBuffer>
}

/** Without handle and bytes, the file was written by other code and is opened only to be flushed. */
function staged(file: string, { flushed, handle, bytes }: Written): Staging {
  let finished = bytes !== undefined
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
    bytes: bytes ?? null,
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
        if (flushed) {
          handle ??= await open(file, 'r+')
          await handle.sync()
        }
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
