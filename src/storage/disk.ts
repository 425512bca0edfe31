/** The storage adapter that keeps objects in a folder of this machine. */

import { copyFile, link, lstat, opendir, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { NewId } from '../ids.ts'
import { createIntoFolder, type IntoFolder, prune } from './disk-folders.ts'
import { ignoreAbsence, openLocal } from './local-object.ts'
import { errorCode, longPath, renamePatiently } from './platform.ts'
import { createScratch, probeScratch, type Scratch } from './scratch.ts'
import type { ByteRange, ListedObject, Storage } from './storage.ts'

/** The folder of staged bytes, beside the folders of objects. */
export const STAGING = 'staging'

export async function createDiskStorage({ root, newId }: { root: string; newId: NewId }): Promise<Storage> {
  const staging = await createScratch({ root: join(root, STAGING), newId, flushed: true })
  const intoFolder = createIntoFolder()
  const prefix = join(root, sep)
  const fileOf = (name: string) => longPath(prefix + name)
  const open = async (name: string, range?: ByteRange) => openLocal(fileOf(name), range)

  async function remove(name: string): Promise<void> {
    await rm(fileOf(name), { force: true })
    await prune(name, fileOf)
  }

  return {
    ...staging,
    namesFollowPaths: true,
    isShared: false,
    open,
    inspect: open,
    remove,
    removeAll: names => removeEach(names, remove),
    relocate: (from, to) => linkOrCopy(fileOf(from), fileOf(to), { staging, intoFolder }),
    probe: () => probeScratch(staging),
    removeUnfinished: async () => 0,

    async commit(staged, name) {
      await staged.finish()
      const file = fileOf(name)
      await intoFolder(file, () => renamePatiently(staged.file, file))
      staged.moved()
    },

    async *list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      for await (const object of walk(root, join(root, ...folder.split('/')))) {
        if (object.name.startsWith(prefix)) yield object
      }
    },

    async measure(name) {
      const facts = await stat(fileOf(name)).catch(ignoreAbsence)
      if (facts && !facts.isFile()) throw new Error(`${name} is no file`)
      return facts?.size ?? null
    },

    async withLocalFile(name, use) {
      const file = fileOf(name)
      return (await stat(file).catch(ignoreAbsence)) ? use(file) : null
    },
  }
}

async function removeEach(
  names: readonly string[],
  remove: (name: string) => Promise<void>,
): Promise<Map<string, unknown>> {
  const errors = new Map<string, unknown>()
  for (const name of names) await remove(name).catch(error => errors.set(name, error))
  return errors
}

async function* walk(root: string, folder: string): AsyncGenerator<ListedObject> {
  const entries = await opendir(longPath(folder)).catch(ignoreAbsence)
  if (!entries) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(root, path)
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

interface Placing {
  staging: Pick<Scratch, 'stage'>
  intoFolder: IntoFolder
}

/** Gives a file a second name; without hard links, such as on exFAT, the second name gets a copy. */
async function linkOrCopy(source: string, target: string, { staging, intoFolder }: Placing): Promise<void> {
  await stat(source)
  await intoFolder(target, async () => {
    try {
      await link(source, target)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return
      if (errorCode(error) === 'ENOENT') throw error
      await copyDurably(source, target, staging)
    }
  })
}

/** Makes a whole copy under a staging name, then renames it. */
async function copyDurably(source: string, target: string, { stage }: Pick<Scratch, 'stage'>): Promise<void> {
  await using copy = await stage()
  await copyFile(source, copy.file)
  await copy.finish()
  await renamePatiently(copy.file, target)
}
