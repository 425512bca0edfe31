/** The storage adapter that keeps objects in a local folder. */

import { copyFile, link, lstat, opendir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { NewId } from '../../base/ids.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { ignoreAbsence, openLocalObject } from '../local/local-object.ts'
import { longPath, renameWithRetry } from '../local/platform.ts'
import type { DiskReserve } from '../local/reserve.ts'
import { createScratch, probeScratch, type Scratch } from '../local/scratch.ts'
import { DISK_INSTANCE_KEY, DISK_STORAGE_MARK } from '../names.ts'
import {
  type ByteRange,
  type ListedObject,
  type Staging,
  type Storage,
  StorageFullError,
} from '../storage.ts'
import { createFilePlacer, type FilePlacer, removeEmptyFolders } from './folders.ts'
import { createDiskPartials } from './partials.ts'

/**
 * The folder for staged bytes (uploads that are not stored as objects yet), beside the folders of objects.
 */
export const STAGING_DIR = 'staging'

export interface DiskParts {
  root: string
  newId: NewId
  /** Disk space that is kept free for deletions. Without a reserve, the disk may be filled completely. */
  reserve?: Pick<DiskReserve, 'allowsStoring'>
}

export async function createDiskStorage({ root, newId, reserve }: DiskParts): Promise<Storage> {
  const staging = await createScratch({ root: join(root, STAGING_DIR), newId, isFlushed: true })
  const placeInFolder = createFilePlacer()
  const partials = createDiskPartials({ root, placeInFolder, adopt: staging.adopt })
  const rootPrefix = join(root, sep)
  const fileOf = (name: string) => longPath(rootPrefix + name)
  const open = async (name: string, range?: ByteRange) => openLocalObject(fileOf(name), range)

  async function ensureReserve(): Promise<void> {
    if (reserve && !(await reserve.allowsStoring())) throw new StorageFullError()
  }

  async function remove(name: string): Promise<void> {
    await rm(fileOf(name), { force: true })
    await removeEmptyFolders(name, fileOf)
  }

  async function commit(stagedBytes: Staging, name: string): Promise<void> {
    await ensureReserve()
    await stagedBytes.finish()
    const [from, to] = [await stagedBytes.file(), fileOf(name)]
    if (stagedBytes.isKept) return linkOrCopy(from, to, { staging, placeInFolder })
    await placeInFolder(to, () => renameWithRetry(from, to))
    stagedBytes.markMoved()
  }

  return {
    ...staging,
    namesFollowPaths: true,
    isShared: false,
    open,
    inspect: open,
    remove,
    removeAll: names => removeEach(names, remove),
    relocate: (from, to) => linkOrCopy(fileOf(from), fileOf(to), { staging, placeInFolder }),
    probe: () => probeScratch(staging),
    removeUnfinished: async () => 0,
    ...partials,

    async resumePartial(upload) {
      await ensureReserve()
      return partials.resumePartial(upload)
    },

    async stage() {
      await ensureReserve()
      return staging.stage()
    },

    commit,

    async *list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      for await (const object of walkTree(root, join(root, ...folder.split('/')))) {
        if (object.name.startsWith(prefix) && object.name !== DISK_STORAGE_MARK) yield object
      }
    },

    async measure(name) {
      const stats = await stat(fileOf(name)).catch(ignoreAbsence)
      if (stats && !stats.isFile()) throw new Error(`${name} is no file`)
      return stats?.size ?? null
    },

    readMark: () => readFile(fileOf(DISK_STORAGE_MARK), 'utf8').catch(ignoreAbsence),

    async writeMark(text) {
      if (text === null) return rm(fileOf(DISK_STORAGE_MARK), { force: true })
      await using stagedBytes = staging.stageWhole(new TextEncoder().encode(text))
      await commit(stagedBytes, DISK_STORAGE_MARK)
    },

    readKey: () => readFile(fileOf(DISK_INSTANCE_KEY), 'utf8').catch(ignoreAbsence),

    async writeKey(text, { replace }) {
      await using stagedBytes = staging.stageWhole(new TextEncoder().encode(text))
      await stagedBytes.finish()
      if (replace) await commit(stagedBytes, DISK_INSTANCE_KEY)
      else await linkOrCopy(await stagedBytes.file(), fileOf(DISK_INSTANCE_KEY), { staging, placeInFolder })
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

async function* walkTree(root: string, folder: string): AsyncGenerator<ListedObject> {
  const entries = await opendir(longPath(folder)).catch(ignoreAbsence)
  if (!entries) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walkTree(root, path)
    else {
      const stats = await lstat(longPath(path)).catch(ignoreAbsence)
      // `changedAt` is the ctime, not the mtime, because a relocated object is an old file with a new name.
      if (stats)
        yield {
          name: relative(root, path).split(sep).join('/'),
          size: stats.size,
          changedAt: stats.ctimeMs,
          writtenAt: stats.mtimeMs,
        }
    }
  }
}

interface LinkParts {
  staging: Pick<Scratch, 'stage'>
  placeInFolder: FilePlacer
}

/**
 * Gives a file a second name, unless that name is taken: a hard link, or a copy on file systems without hard
 * links, such as exFAT. If another file gets the name `target` while the copy is made, the copy replaces that
 * file.
 */
async function linkOrCopy(
  source: string,
  target: string,
  { staging, placeInFolder }: LinkParts,
): Promise<void> {
  // This rejects if the source is absent, before a folder is created.
  await stat(source)
  await placeInFolder(target, async () => {
    try {
      await link(source, target)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return
      if (errorCode(error) === 'ENOENT') throw error
      await copyDurably(source, target, staging)
    }
  })
}

/** Copies a file to a new file in the staging folder, flushes the copy and renames it to `target`. */
async function copyDurably(source: string, target: string, { stage }: Pick<Scratch, 'stage'>): Promise<void> {
  await using copy = await stage()
  const file = await copy.file()
  await copyFile(source, file)
  // The copy keeps the modification time of the source, which `rebuild` compares in milliseconds. Half a
  // millisecond is added, so that a small rounding error does not change the millisecond.
  const seconds = (Math.floor((await stat(source)).mtimeMs) + 0.5) / 1000
  await utimes(file, seconds, seconds)
  await copy.finish()
  await renameWithRetry(file, target)
}
