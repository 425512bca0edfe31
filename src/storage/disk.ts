/** The storage adapter that keeps objects in a folder of this machine. */

import { statSync } from 'node:fs'
import { copyFile, link, lstat, mkdir, opendir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { NewId } from '../ids.ts'
import { errorCode, flushFolder, longPath, renamePatiently } from './platform.ts'
import { asStorageError, createScratch } from './scratch.ts'
import type { ListedObject, Storage, StoredObject } from './storage.ts'

/** Attempts to create a folder for an object: a concurrent removal may prune the still empty folder in between. */
const FOLDER_ATTEMPTS = 5

/** A whole block, so that the probe needs space on the disk. A file system may store fewer bytes beside the name. */
const PROBE = new Uint8Array(4096)

export async function createDiskStorage({ root, newId }: { root: string; newId: NewId }): Promise<Storage> {
  const folder = join(root, 'staging')
  const scratch = await createScratch({ folder, newId })
  const fileOf = (name: string) => longPath(join(root, ...name.split('/')))

  /**
   * Folders that are being created now. A commit that finds such a folder must also wait until the folder is flushed.
   */
  const making = new Set<Promise<void>>()

  /**
   * Runs `place`, which puts `file` into its folder, and flushes the folder. If the folder is missing, creates it first
   * and flushes each new entry on the way.
   */
  async function intoFolder(file: string, place: () => Promise<void>): Promise<void> {
    const folder = dirname(file)
    for (let attempt = 1; ; attempt++) {
      try {
        await place()
        break
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || attempt === FOLDER_ATTEMPTS) throw asStorageError(error)
        const made = makeFolder(folder)
        making.add(made)
        await made.finally(() => making.delete(made))
      }
    }
    await Promise.all([flushFolder(folder), ...making])
  }

  async function makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true }).catch(error => {
      throw asStorageError(error)
    })
    if (first === undefined) return
    // For each new folder, from the last up to the first, the parent must be flushed.
    for (let made = folder; made.length >= first.length; made = dirname(made)) {
      await flushFolder(dirname(made)).catch(ignoreAbsence)
    }
  }

  /** Removes folders that a removal left empty, but not the root folder of its kind (such as `files`). */
  async function prune(name: string): Promise<void> {
    const folders = name.split('/').slice(0, -1)
    for (; folders.length > 1; folders.pop()) {
      try {
        await rmdir(fileOf(folders.join('/')))
      } catch {
        return
      }
    }
  }

  async function* walk(folder: string): AsyncGenerator<ListedObject> {
    const entries = await opendir(longPath(folder)).catch(ignoreAbsence)
    if (!entries) return
    for await (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) yield* walk(path)
      else {
        const facts = await lstat(longPath(path)).catch(ignoreAbsence)
        // `changedAt` is ctime, not mtime: a relocated object is an old file under a new name.
        if (facts)
          yield {
            name: relative(root, path).split(sep).join('/'),
            size: facts.size,
            changedAt: facts.ctimeMs,
            writtenAt: facts.mtimeMs,
          }
      }
    }
  }

  return {
    scratch: folder,
    stage: scratch.stage,
    adopt: scratch.adopt,
    clearStaging: scratch.clear,

    async commit(staging, name) {
      await staging.finish()
      const file = fileOf(name)
      await intoFolder(file, () => renamePatiently(staging.file, file))
    },

    async open(name) {
      const file = fileOf(name)
      let size: number
      try {
        // Synchronous on purpose: a look into the inode cache takes microseconds, a hop to a thread many times as long.
        const facts = statSync(file)
        if (!facts.isFile()) throw new Error(`${name} is no file`)
        size = facts.size
      } catch (error) {
        return ignoreAbsence(error)
      }
      const blob = Bun.file(file)
      const object: StoredObject = {
        size,
        body: range => (range ? blob.slice(range.start, range.end) : blob),
        bytes: () => blob.bytes(),
      }
      return object
    },

    async relocate(from, to) {
      const source = fileOf(from)
      const target = fileOf(to)
      await stat(source)
      await intoFolder(target, async () => {
        try {
          await link(source, target)
        } catch (error) {
          if (errorCode(error) === 'EEXIST') return
          if (errorCode(error) === 'ENOENT') throw error
          await copyDurably(source, target)
        }
      })
    },

    async remove(name) {
      await rm(fileOf(name), { force: true })
      await prune(name)
    },

    async *list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      for await (const object of walk(join(root, ...folder.split('/')))) {
        if (object.name.startsWith(prefix)) yield object
      }
    },

    async measure(name) {
      const facts = await stat(fileOf(name)).catch(ignoreAbsence)
      if (facts && !facts.isFile()) throw new Error(`${name} is no file`)
      return facts?.size ?? null
    },

    async probe() {
      const staging = await scratch.stage()
      try {
        await staging.write(PROBE)
        await staging.finish()
      } finally {
        await staging.discard()
      }
    },

    async withLocalFile(name, use) {
      const file = fileOf(name)
      return (await stat(file).catch(ignoreAbsence)) ? use(file) : null
    },
  }

  /** For file systems without hard links, such as exFAT: makes a whole copy under a staging name, then renames it. */
  async function copyDurably(source: string, target: string): Promise<void> {
    const staging = await scratch.stage()
    try {
      await copyFile(source, staging.file)
      await staging.finish()
      await renamePatiently(staging.file, target)
    } finally {
      await staging.discard()
    }
  }
}

function ignoreAbsence(error: unknown): null {
  if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
  throw error
}
