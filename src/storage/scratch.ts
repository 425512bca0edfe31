/** Staging on this machine: each running upload is one file in this folder, whichever adapter stores it in the end. */
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewId } from '../ids.ts'
import { errorCode, longPath } from './platform.ts'
import { type Staging, StorageFullError } from './storage.ts'

/** Turns the errors of a full disk or quota into `StorageFullError`; returns any other error unchanged. */
export function asStorageError(error: unknown): unknown {
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error))
  return full ? new StorageFullError({ cause: error }) : error
}

export interface Scratch {
  stage(): Promise<Staging>
  adopt(file: string): Staging
  clear(olderThan: number): Promise<number>
}

export async function createScratch(options: { folder: string; newId: NewId }): Promise<Scratch> {
  const { folder, newId } = options
  const fileOf = (name: string) => longPath(join(folder, name))
  await mkdir(folder, { recursive: true })

  return {
    async stage() {
      const file = fileOf(newId())
      try {
        return staged(file, await open(file, 'wx'))
      } catch (error) {
        throw asStorageError(error)
      }
    },

    adopt: file => staged(file),

    async clear(olderThan) {
      const limit = Date.now() - olderThan
      let cleared = 0
      for (const name of await readdir(folder)) {
        const facts = await stat(fileOf(name)).catch(() => null)
        if (!facts?.isFile() || facts.mtimeMs > limit) continue
        await rm(fileOf(name), { force: true })
        cleared++
      }
      return cleared
    },
  }
}

/** Without a handle, the file was written by other code and is opened only to be flushed. */
function staged(file: string, writing?: FileHandle): Staging {
  let handle = writing
  let finished = false

  async function close(): Promise<void> {
    const open = handle
    handle = undefined
    await open?.close()
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
    async discard() {
      await close()
      await rm(file, { force: true })
    },
  }
}
