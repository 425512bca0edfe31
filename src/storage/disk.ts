/** The storage adapter that keeps objects in a folder of this machine. */

import { copyFile, link, lstat, mkdir, opendir, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { NewId } from '../ids.ts'
import type { Log } from '../log.ts'
import { bringBack } from './bring-back.ts'
import { createIntoFolder, type IntoFolder, prune } from './disk-folders.ts'
import { createJournal } from './journal.ts'
import type { JournalRecord } from './journal-record.ts'
import { ignoreAbsence, openLocal } from './local-object.ts'
import { errorCode, flushFile, longPath, renamePatiently } from './platform.ts'
import { createScratch, probeScratch, type Scratch } from './scratch.ts'
import type { ByteRange, ListedObject, Staging, Storage } from './storage.ts'
import { wholeFlush } from './whole-flush.ts'

/** The folder of staged bytes, beside the folders of objects. */
export const STAGING = 'staging'

/** Milliseconds in which every file that a journal has taken is flushed, also on a slow disk. */
const JOURNALED = 10 * 60_000

export interface DiskParts {
  root: string
  newId: NewId
  /** Whether a row has an object of this name; without rows to ask, every object is wanted. */
  isOwned?: (name: string) => Promise<boolean>
  /** Told of files that a journal has kept and that cannot be brought back yet. Without it opening rejects. */
  log?: Pick<Log, 'error'>
}

export async function createDiskStorage(parts: DiskParts): Promise<Storage> {
  const { root, newId, isOwned = async () => true } = parts
  await mkdir(longPath(root), { recursive: true })
  const flushAll = await wholeFlush(root)
  const staging = await createScratch({
    ...{ root: join(root, STAGING), newId, flushed: true },
    bringBack: (folder, isGone) => bringBack(folder, isGone, { isOwned, rewrite, flushAll, open, remove }),
  })
  const intoFolder = createIntoFolder()
  const journal = flushAll && createJournal({ folder: staging.scratch, newId, flushAll, rewrite })
  const prefix = join(root, sep)
  const fileOf = (name: string) => longPath(prefix + name)
  const open = async (name: string, range?: ByteRange) => openLocal(fileOf(name), range)

  /** Writes a file again that a journal has kept. */
  async function rewrite({ name, bytes }: JournalRecord): Promise<void> {
    await using copy = staging.stageWhole(bytes)
    await copy.finish()
    await giveName(copy, name)
  }

  async function giveName(staged: Staging, name: string): Promise<void> {
    const [from, to] = [await staged.file(), fileOf(name)]
    await intoFolder(to, () => renamePatiently(from, to))
    staged.moved()
  }

  /** Writes bytes under their name itself: the journal has them, so what a crash leaves of the file is written again. */
  async function writeUnder(name: string, bytes: Uint8Array, staged: Staging): Promise<void> {
    const file = fileOf(name)
    try {
      await intoFolder(file, () => writeFile(file, bytes, { flag: 'wx' }), { journaled: true })
      staged.moved()
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return giveName(staged, name)
      await rm(file, { force: true })
      throw error
    }
  }

  async function remove(name: string): Promise<void> {
    await rm(fileOf(name), { force: true })
    await prune(name, fileOf)
  }

  await staging.clearGone().catch(error => {
    if (!parts.log) throw error
    parts.log.error('files that a journal has kept cannot be brought back yet', { cause: error })
  })

  return {
    ...staging,
    namesFollowPaths: true,
    isShared: false,
    open,
    inspect: open,
    remove,
    removeAll: names => removeEach(names, remove),
    async relocate(from, to) {
      const source = fileOf(from)
      const { mtimeMs } = await stat(source)
      // The journal, which may be that of another process, knows the file by its old name only.
      if (journal && (journal.trouble() || mtimeMs > Date.now() - JOURNALED)) await flushFile(source)
      await linkOrCopy(source, fileOf(to), { staging, intoFolder })
    },
    async probe() {
      const trouble = journal?.trouble()
      if (trouble) throw trouble
      await probeScratch(staging)
    },
    removeUnfinished: async () => 0,

    async commit(staged, name) {
      const { bytes } = staged
      if (bytes && (await journal?.keep({ name, bytes }, () => writeUnder(name, bytes, staged)))) return
      await staged.finish()
      await giveName(staged, name)
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

    async close() {
      // If it rejects, everything stays for the process that opens the folder next.
      await journal?.close()
      await staging.close()
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
  const file = await copy.file()
  await copyFile(source, file)
  await copy.finish()
  await renamePatiently(file, target)
}
