/** A backup target that is a folder, on a disk of this machine or a network share. */
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { batches } from '../../../base/batches.ts'
import { errorCode } from '../../../base/error-code.ts'
import type { NewId } from '../../../base/ids.ts'
import { isSha256 } from '../../../contract/upload/archive.ts'
import { ignoreAbsence } from '../../../storage/local/local-object.ts'
import { flushFolder, longPath, renamePatiently } from '../../../storage/local/platform.ts'
import { diskSpace } from '../../../storage/local/space.ts'
import { newestFirst, parseArchiveName } from '../archive/archive-name.ts'
import { contentOf, openArchive } from '../archive/archive-reader.ts'
import { piecesOf } from '../archive/read-file.ts'
import type { Content, FoundArchive, OperationOptions, Place, StockEntry } from './place.ts'
import { writeAndCompare } from './write-and-compare.ts'

/**
 * Matches the name of an archive that is being written, or of its list of checksums: the file is hidden, and
 * no archive or foreign file has such a name.
 */
const PART_NAME = /^\.fundus-[0-9a-z]{16}\.teil(-liste)?$/
export const partFile = (folder: string, id: string) => join(folder, `.fundus-${id}.teil`)

/** The stock holds each content once, in folders named by the first two digits of its SHA-256. */
export const STOCK_FOLDER = 'bestand'
/** Two more folders of the stock: one for contents being written, one for contents that were set aside. */
const UNFINISHED_FOLDER = 'neu'
const ASIDE_FOLDER = 'weg'
/** The file that records when each folder of the stock was last read. */
const NOTE_FILE = 'geprueft.json'
/** Number of files whose size is read concurrently. */
const CONCURRENT_STATS = 32

export interface FolderPlace extends Place {
  /**
   * Gives the completely written archive `part` its name, which then survives a power cut. Returns false if a
   * run of another process has taken the name.
   */
  publish(part: string, name: string): Promise<boolean>
}

export function createFolderPlace(folder: string, newId: NewId): FolderPlace {
  const stock = join(folder, STOCK_FOLDER)
  const stockPath = (...names: string[]) => longPath(join(stock, ...names))
  const fileOf = (sha256: string) => stockPath(sha256.slice(0, 2), sha256)
  const asideFileOf = (sha256: string) => stockPath(ASIDE_FOLDER, sha256)
  /** Folders of the stock that are known to exist. */
  const existingFolders = new Set<string>()
  /** Folders of the stock that contain new names which are not flushed yet. */
  const unflushedFolders = new Set<string>()

  async function makeFolder(name: string): Promise<void> {
    if (existingFolders.has(name)) return
    await mkdir(stockPath(name), { recursive: true })
    existingFolders.add(name)
  }

  async function rename(part: string, name: string): Promise<void> {
    await renamePatiently(longPath(part), longPath(join(folder, name)))
    await flushFolder(folder)
  }

  async function moveIntoStock(from: string, sha256: string): Promise<void> {
    const name = sha256.slice(0, 2)
    await makeFolder(name)
    await renamePatiently(from, fileOf(sha256))
    unflushedFolders.add(name)
  }

  return {
    name: folder,
    async publish(part, name) {
      try {
        // Unlike a rename, a link replaces nothing.
        await link(longPath(part), longPath(join(folder, name)))
      } catch (error) {
        if (errorCode(error) === 'EEXIST') return false
        // Some file systems do not support links.
        await rename(part, name)
        return true
      }
      await rm(longPath(part))
      await flushFolder(folder)
      return true
    },

    async prepare() {
      await mkdir(longPath(folder), { recursive: true })
      // An unfinished file may belong to a run that has lost its lease but still continues. Without the file
      // that run fails, and no archive is lost.
      for (const name of await readdir(longPath(folder)))
        if (PART_NAME.test(name)) await rm(longPath(join(folder, name)), { force: true })
      for (const name of await namesIn(stockPath(UNFINISHED_FOLDER)))
        await rm(stockPath(UNFINISHED_FOLDER, name), { force: true })
    },
    freeBytes: async () => (await diskSpace(folder))?.free ?? null,

    archives: () => archivesIn(folder),
    openArchive: name => openArchive(join(folder, name)),
    async putArchive(name, archive, options) {
      const part = partFile(folder, newId())
      const wholeRange = { start: 0, size: archive.size }
      await writeAndCompare(longPath(part), {
        content: () => contentOf(archive.newReader(), wholeRange),
        ...options,
      })
      await rename(part, name)
    },
    async removeArchives(names) {
      for (const name of names) await rm(longPath(join(folder, name)), { force: true })
      await flushFolder(folder)
    },

    async *contents(digits) {
      const names = digits === undefined ? await namesIn(longPath(stock)) : [digits]
      for (const name of names) if (/^[0-9a-f]{2}$/.test(name)) yield* contentsOf(name)
    },
    sizeOf: sha256 => sizeOf(fileOf(sha256)),
    async *read(sha256, from = 0) {
      await using handle = await open(fileOf(sha256), 'r')
      yield* piecesOf(handle, from)
    },
    async put({ sha256 }: StockEntry, content: Content, options: OperationOptions) {
      await makeFolder(UNFINISHED_FOLDER)
      const part = stockPath(UNFINISHED_FOLDER, newId())
      await writeAndCompare(part, { content, sha256, ...options })
      await moveIntoStock(part, sha256)
    },
    async flush() {
      for (const name of unflushedFolders) await flushFolder(stockPath(name))
      if (unflushedFolders.size > 0) {
        await flushFolder(stockPath())
        await flushFolder(folder)
      }
      unflushedFolders.clear()
    },

    async setAside(sha256) {
      await makeFolder(ASIDE_FOLDER)
      await renamePatiently(fileOf(sha256), asideFileOf(sha256)).catch(ignoreAbsence)
    },
    async bringBack(sha256) {
      if ((await sizeOf(fileOf(sha256))) !== null) await rm(asideFileOf(sha256), { force: true })
      else await moveIntoStock(asideFileOf(sha256), sha256).catch(ignoreAbsence)
    },
    listAside: async () => (await namesIn(stockPath(ASIDE_FOLDER))).filter(isSha256),
    removeAside: sha256 => rm(asideFileOf(sha256), { force: true }),

    readNote: () => readFile(stockPath(NOTE_FILE), 'utf8').catch(ignoreAbsence),
    async writeNote(text) {
      await makeFolder(UNFINISHED_FOLDER)
      const part = stockPath(UNFINISHED_FOLDER, newId())
      await writeAndCompare(part, {
        content: async function* () {
          yield Buffer.from(text)
        },
      })
      await renamePatiently(part, stockPath(NOTE_FILE))
    },
  }

  async function* contentsOf(name: string): AsyncGenerator<StockEntry[]> {
    const sums = (await namesIn(stockPath(name))).filter(sum => isSha256(sum) && sum.startsWith(name))
    for (const batch of batches(sums, CONCURRENT_STATS)) {
      const sizes = await Promise.all(batch.map(sum => sizeOf(fileOf(sum))))
      yield batch.flatMap((sha256, index) => (sizes[index] == null ? [] : [{ sha256, size: sizes[index] }]))
    }
  }
}

const sizeOf = async (file: string) => {
  const stats = await stat(file).catch(ignoreAbsence)
  return stats?.isFile() ? stats.size : null
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(ignoreAbsence)) ?? []

/** The archives in the folder, newest first; empty if there is no such folder. */
async function archivesIn(folder: string): Promise<FoundArchive[]> {
  const found: FoundArchive[] = []
  for (const name of await namesIn(longPath(folder))) {
    const parsed = parseArchiveName(name)
    const bytes = parsed && (await sizeOf(longPath(join(folder, name))))
    if (bytes !== null) found.push({ ...parsed!, bytes })
  }
  return found.sort(newestFirst)
}
