/**
 * The files of the cache. A file gets its final name only when it is complete and checked, so every file with
 * such a name can be read. Each boot of the machine has its own folder: files are not flushed, so a power cut
 * may leave them incomplete, and the next boot begins with an empty folder. Where the system has no boot id,
 * there is a single folder and files are flushed.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { succeeds } from '../../base/attempt.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { ignoreAbsence, openLocalObject } from '../local/local-object.ts'
import { bootId, flushFile, longPath, renameWithRetry } from '../local/platform.ts'
import { removeTree } from '../local/remove-tree.ts'
import type { ByteRange } from '../storage.ts'
import { type CacheIndexParts, openCacheIndex } from './index.ts'

const FOLDER_WITHOUT_BOOT_ID = 'dauerhaft'

export type CacheFolder = Awaited<ReturnType<typeof openCacheFolder>>

export async function openCacheFolder(options: { root: string; capacity: number; now: () => number }) {
  const { root, capacity, now } = options
  const currentBootId = await bootId()
  const folder = join(root, currentBootId ?? FOLDER_WITHOUT_BOOT_ID)
  await mkdir(longPath(folder), { recursive: true })
  void removeEarlierBootFolders(root, currentBootId ?? FOLDER_WITHOUT_BOOT_ID).catch(() => {})
  const fileOf = (key: string) => longPath(join(folder, key.slice(0, 2), key.slice(2)))
  /**
   * Removes a file. Returns false if that fails, for example on Windows while somebody reads the file. (On
   * other systems a file can be removed while it is read.)
   */
  const remove = (key: string) => succeeds(() => rmSync(fileOf(key), { force: true }))
  const index = await openIndex(folder, { capacity, now, remove })

  async function moveIntoCache(file: string, key: string): Promise<void> {
    if (currentBootId === null) await flushFile(file)
    await renameWithRetry(file, fileOf(key))
  }

  return {
    index,
    fileOf,
    /**
     * The key of an object. It identifies the object in the index, and `fileOf` makes the file's path from
     * it.
     */
    keyOf: (name: string) => createHash('sha1').update(name).digest('hex'),
    close: () => index.close(),

    /** Opens a file; null if it is not cached. A file of the wrong length counts as not cached. */
    find(key: string, range?: ByteRange) {
      const size = index.recordUseOf(key)
      const object = size === null ? null : openLocalObject(fileOf(key), range)
      if (object?.size === size) return object
      if (size !== null) index.forget(key)
      return null
    },

    /**
     * Moves a checked file into the cache. Resolves with false if there is no room; the file then stays where
     * it is.
     */
    async place(file: string, key: string, size: number) {
      if (!(await index.enter(key, size))) return false
      try {
        await moveIntoCache(file, key).catch(async error => {
          ignoreAbsence(error)
          await mkdir(dirname(fileOf(key)), { recursive: true })
          await moveIntoCache(file, key)
        })
      } catch (error) {
        index.forget(key)
        throw error
      }
      return true
    },

    remove(key: string) {
      if (remove(key)) index.forget(key)
    },
  }
}

/** Opens the index. If it is damaged, removes all files of the cache and creates a new index. */
async function openIndex(folder: string, parts: Omit<CacheIndexParts, 'file'>) {
  const open = () => openCacheIndex({ file: join(folder, 'index.db'), ...parts })
  try {
    return open()
  } catch (error) {
    if (!['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(errorCode(error))) throw error
    await removeTree(folder)
    await mkdir(longPath(folder), { recursive: true })
    return open()
  }
}

/** Removes all cache folders except the one of the current boot. */
async function removeEarlierBootFolders(root: string, currentName: string): Promise<void> {
  for (const name of await readdir(longPath(root))) {
    if (name !== currentName) await removeTree(join(root, name))
  }
}
