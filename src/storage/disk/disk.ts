/** The storage adapter that keeps objects in a local folder. */

import { copyFile, link, lstat, mkdir, opendir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import type { NewId } from '../../base/ids.ts'
import { exists } from '../local/exists.ts'
import { ignoreAbsence, openLocal } from '../local/local-object.ts'
import { longPath, renamePatiently } from '../local/platform.ts'
import type { Reserve } from '../local/reserve.ts'
import { createScratch, probeScratch, type Scratch } from '../local/scratch.ts'
import { OBJECT_ROOTS } from '../names.ts'
import {
  type ByteRange,
  type ListedObject,
  SHORT_BYTES,
  type Staging,
  type Storage,
  StorageFullError,
} from '../storage.ts'
import { type JournalDamage, NotRecoveredError, recoverFiles, type StoredSince } from './bring-back.ts'
import { createIntoFolder, type IntoFolder, prune } from './folders.ts'
import { createJournal, LONGEST_CYCLE } from './journal.ts'
import type { JournalRecord } from './journal-record.ts'
import { wholeFlush } from './whole-flush.ts'

/** The folder of staged bytes, beside the folders of objects. */
export const STAGING = 'staging'

export interface DiskParts {
  root: string
  newId: NewId
  /** Whether a row owns the object; by default every object counts as owned. */
  isOwned?: (name: string) => Promise<boolean>
  /** The rows that files of a damaged journal are compared with; by default none. */
  storedSince?: StoredSince
  /** Without a reserve the disk may be filled completely. */
  reserve?: Pick<Reserve, 'allowsStoring'>
  /** For errors of background flushes. */
  onFault?: (cause: unknown) => void
  /** For damaged journals, before they are set aside. */
  onDamage?: (found: JournalDamage) => Promise<void>
}

/** Rejects with `NotRecoveredError` while journalled files cannot be recovered. */
export async function createDiskStorage(parts: DiskParts): Promise<Storage> {
  const { root, newId, isOwned = async () => true, storedSince = async function* () {} } = parts
  const { reserve, onFault = () => {}, onDamage = async () => {} } = parts
  const reported = new Set<string>()
  await mkdir(longPath(root), { recursive: true })
  const flushAll = (await isOneFileSystem(root)) ? await wholeFlush(root) : null
  const staging = await createScratch({
    ...{ root: join(root, STAGING), newId, flushed: true },
    recoverFiles: (folder, isGone) =>
      recoverFiles(folder, isGone, {
        ...{ isOwned, storedSince, write, flushAll, open, remove },
        ...{ aside: root, reported, onDamage },
      }),
  })
  const intoFolder = createIntoFolder()
  const journal =
    flushAll &&
    createJournal({ folder: staging.scratch, newId, flushAll, rewrite, onFault, ...staging.folder })
  const prefix = join(root, sep)
  const fileOf = (name: string) => longPath(prefix + name)
  const open = async (name: string, range?: ByteRange) => openLocal(fileOf(name), range)

  /** Writes a journalled file again. */
  async function write({ name, bytes, writtenAt }: JournalRecord, { flushed }: { flushed: boolean }) {
    await using copy = staging.stageWhole(bytes)
    await keepTime(await copy.file(), writtenAt)
    if (flushed) await copy.finish()
    await giveName(copy, name, { journaled: !flushed })
  }

  /** For the journal of this process: a file that was removed meanwhile does not come back. */
  async function rewrite(record: JournalRecord): Promise<void> {
    if (await exists(fileOf(record.name))) await write(record, { flushed: true })
  }

  async function giveName(staged: Staging, name: string, options?: { journaled: boolean }): Promise<void> {
    const [from, to] = [await staged.file(), fileOf(name)]
    await intoFolder(to, () => renamePatiently(from, to), options)
    staged.moved()
  }

  /**
   * Whether the file may be safe only in a journal, which has it under this name. The journal of another
   * process cannot be read, so a recent file counts as journalled.
   */
  async function isJournaled(name: string): Promise<boolean> {
    if (!journal) return false
    const { size, mtimeMs } = await stat(fileOf(name))
    return size <= SHORT_BYTES && (journal.has(name) || mtimeMs > Date.now() - LONGEST_CYCLE)
  }

  /** Writes under the final name: the journal has the bytes, so whatever a crash leaves is rewritten. */
  async function writeUnder({ name, bytes }: JournalRecord, staged: Staging): Promise<void> {
    const file = fileOf(name)
    try {
      await intoFolder(file, () => writeFile(file, bytes, { flag: 'wx' }), { journaled: true })
      staged.moved()
    } catch (error) {
      // Not flushed: the journal holds the bytes.
      if (errorCode(error) === 'EEXIST') return giveName(staged, name, { journaled: true })
      await rm(file, { force: true })
      throw error
    }
  }

  async function refuseWithoutReserve(): Promise<void> {
    if (reserve && !(await reserve.allowsStoring())) throw new StorageFullError()
  }

  async function remove(name: string): Promise<void> {
    await rm(fileOf(name), { force: true })
    await prune(name, fileOf)
  }

  await staging.folder.clearGone().catch(async error => {
    await staging.close()
    throw new NotRecoveredError(error)
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
      // A flush proves nothing if the disk failed to write this file before; a copy is another file.
      const copied = await isJournaled(from)
      await linkOrCopy(fileOf(from), fileOf(to), { staging, intoFolder, copied })
    },
    async probe() {
      const trouble = journal?.trouble()
      if (trouble) throw trouble
      await probeScratch(staging)
    },
    removeUnfinished: async () => 0,

    async stage() {
      await refuseWithoutReserve()
      return staging.stage()
    },

    async commit(staged, name) {
      await refuseWithoutReserve()
      const { bytes } = staged
      const record = bytes && { name, bytes, writtenAt: Date.now() }
      if (record && (await journal?.keep(record, () => writeUnder(record, staged)))) return
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
      // If it rejects, everything stays for the next process that opens the folder.
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
      // ctime, not mtime: a relocated object is an old file under a new name.
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
  copied: boolean
}

/** Gives a file a second name: a hard link, or a copy (`copied`, or no hard links, as on exFAT). */
async function linkOrCopy(source: string, target: string, placing: Placing): Promise<void> {
  const { staging, intoFolder, copied } = placing
  await intoFolder(target, async () => {
    if (copied) return copyDurably(source, target, staging)
    try {
      await link(source, target)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return
      if (errorCode(error) === 'ENOENT') throw error
      await copyDurably(source, target, staging)
    }
  })
}

/** `rebuild` compares milliseconds. Half of one is added, so that rounding on disk does not matter. */
function keepTime(file: string, milliseconds: number): Promise<void> {
  const seconds = (Math.floor(milliseconds) + 0.5) / 1000
  return utimes(file, seconds, seconds)
}

/** A folder of objects on another disk is not flushed with the rest. */
async function isOneFileSystem(root: string): Promise<boolean> {
  const { dev } = await stat(longPath(root))
  const parts = OBJECT_ROOTS.map(each => stat(longPath(join(root, each))).catch(ignoreAbsence))
  return (await Promise.all(parts)).every(part => part === null || part.dev === dev)
}

/** Copies under a staging name, then renames. */
async function copyDurably(source: string, target: string, { stage }: Pick<Scratch, 'stage'>): Promise<void> {
  await using copy = await stage()
  const file = await copy.file()
  await copyFile(source, file)
  await keepTime(file, (await stat(source)).mtimeMs)
  await copy.finish()
  await renamePatiently(file, target)
}
