/**
 * The files of the cache. A file gets its name only when it is complete and checked, so every file that has
 * its name can be read. The folder belongs to one boot of the machine: files are not flushed, so a power cut
 * may leave them incomplete, and the next boot starts an empty folder. Where the system has no boot id, files
 * are flushed instead.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { succeeds } from '../../base/attempt.ts'
import { ignoreAbsence, openLocal } from '../local/local-object.ts'
import { bootId, flushFile, longPath, renamePatiently } from '../local/platform.ts'
import { removeTree } from '../local/remove-tree.ts'
import type { ByteRange } from '../storage.ts'
import { openCacheIndex } from './index.ts'

const EVERY_BOOT = 'dauerhaft'

export type CacheFolder = Awaited<ReturnType<typeof openCacheFolder>>

export async function openCacheFolder(options: { root: string; capacity: number; now: () => number }) {
  const { root, capacity, now } = options
  const run = await bootId()
  const folder = join(root, run ?? EVERY_BOOT)
  await mkdir(longPath(folder), { recursive: true })
  void removeOthers(root, run ?? EVERY_BOOT).catch(() => {})
  const fileOf = (key: string) => longPath(join(folder, key.slice(0, 2), key.slice(2)))
  /**
   * Removes a file. Returns false on Windows while somebody reads it; on other systems readers are not
   * disturbed.
   */
  const remove = (key: string) => succeeds(() => rmSync(fileOf(key), { force: true }))
  const index = openCacheIndex({ file: join(folder, 'index.db'), capacity, now, remove })

  async function moveIn(file: string, key: string): Promise<void> {
    if (run === null) await flushFile(file)
    await renamePatiently(file, fileOf(key))
  }

  return {
    index,
    fileOf,
    /** The file name of an object, which is its key in the index. */
    keyOf: (name: string) => createHash('sha1').update(name).digest('hex'),
    close: () => index.close(),

    /** Opens a file; null if it is not cached. A file of the wrong length counts as not cached. */
    find(key: string, range?: ByteRange) {
      const size = index.use(key)
      const found = size === null ? null : openLocal(fileOf(key), range)
      if (found?.size === size) return found
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
        await moveIn(file, key).catch(async error => {
          ignoreAbsence(error)
          await mkdir(dirname(fileOf(key)), { recursive: true })
          await moveIn(file, key)
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

/** Removes the cache folders of earlier boots. */
async function removeOthers(root: string, current: string): Promise<void> {
  for (const name of await readdir(longPath(root))) {
    if (name !== current) await removeTree(join(root, name))
  }
}
