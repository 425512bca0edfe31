/** A backup target that is a folder, on a disk of this machine or a network share. */
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { batches } from '../../../base/batches.ts'
import type { NewId } from '../../../base/ids.ts'
import { errorCode } from '../../../base/system/error-code.ts'
import { isSha256 } from '../../../contract/service/backup-archive.ts'
import { ignoreAbsence } from '../../../storage/local/local-object.ts'
import { flushFolder, longPath, renameWithRetry } from '../../../storage/local/platform.ts'
import { diskSpace } from '../../../storage/local/space.ts'
import { newestFirst, parseArchiveName } from '../archive/archive-name.ts'
import { openArchive, readContent } from '../archive/archive-reader.ts'
import { readPieces } from '../archive/read-file.ts'
import { contentFolderOf, REREAD_NOTE_FILE, SET_ASIDE_FOLDER, STOCK_FOLDER } from './layout.ts'
import type { ContentSource, FoundArchive, OperationOptions, Place, StockEntry } from './place.ts'
import { writeAndCompare } from './write-and-compare.ts'

/**
 * Matches the name of an archive that is being written, or of the temporary list of its checksums. The
 * leading dot hides the file; no finished archive has such a name.
 */
const PART_FILE_NAME = /^\.fundus-[0-9a-z]{16}\.teil(-liste)?$/
export const partFilePath = (folder: string, id: string) => join(folder, `.fundus-${id}.teil`)

/** The subfolder of the content store for files that are being written. */
const UNFINISHED_FOLDER = 'neu'
/** Number of files whose size is read concurrently. */
const CONCURRENT_STATS = 32

export interface FolderPlace extends Place {
  /**
   * Moves the completely written archive `partPath` to its final name. Resolves with true when that name
   * survives a power cut, with false if another archive already has this name. On a file system without hard
   * links, an archive that has this name is replaced instead.
   */
  publish(partPath: string, name: string): Promise<boolean>
}

export function createFolderPlace(folder: string, newId: NewId): FolderPlace {
  const stock = join(folder, STOCK_FOLDER)
  const stockPath = (...names: string[]) => longPath(join(stock, ...names))
  const fileOf = (sha256: string) => stockPath(contentFolderOf(sha256), sha256)
  const asideFileOf = (sha256: string) => stockPath(SET_ASIDE_FOLDER, sha256)
  /** Folders of the content store that are known to exist. */
  const existingFolders = new Set<string>()
  /** Folders of the content store with new entries that are not flushed to disk yet. */
  const unflushedFolders = new Set<string>()

  async function makeFolder(name: string): Promise<void> {
    if (existingFolders.has(name)) return
    await mkdir(stockPath(name), { recursive: true })
    existingFolders.add(name)
  }

  async function rename(partPath: string, name: string): Promise<void> {
    await renameWithRetry(longPath(partPath), longPath(join(folder, name)))
    await flushFolder(folder)
  }

  async function moveIntoStock(from: string, sha256: string): Promise<void> {
    const folderName = contentFolderOf(sha256)
    await makeFolder(folderName)
    await renameWithRetry(from, fileOf(sha256))
    unflushedFolders.add(folderName)
  }

  return {
    name: folder,
    async publish(partPath, name) {
      try {
        // Unlike a rename, a link never replaces an existing file.
        await link(longPath(partPath), longPath(join(folder, name)))
      } catch (error) {
        if (errorCode(error) === 'EEXIST') return false
        // Probably a file system without hard links. Another error would occur again in the rename.
        await rename(partPath, name)
        return true
      }
      await rm(longPath(partPath))
      await flushFolder(folder)
      return true
    },

    async prepare() {
      await mkdir(longPath(folder), { recursive: true })
      // An unfinished file may belong to a run that has lost its lease but still continues. If the file is
      // removed, that run fails, and no archive is lost.
      for (const name of await readdir(longPath(folder)))
        if (PART_FILE_NAME.test(name)) await rm(longPath(join(folder, name)), { force: true })
      for (const name of await listNames(stockPath(UNFINISHED_FOLDER)))
        await rm(stockPath(UNFINISHED_FOLDER, name), { force: true })
    },
    freeBytes: async () => (await diskSpace(folder))?.free ?? null,

    archives: () => findArchives(folder),
    openArchive: name => openArchive(join(folder, name)),
    async putArchive(name, archive, options) {
      const partPath = partFilePath(folder, newId())
      const wholeRange = { start: 0, size: archive.size }
      await writeAndCompare(longPath(partPath), {
        content: () => readContent(archive.newReader(), wholeRange),
        ...options,
      })
      await rename(partPath, name)
    },
    async removeArchives(names) {
      for (const name of names) await rm(longPath(join(folder, name)), { force: true })
      await flushFolder(folder)
    },

    async *contents(checksumPrefix) {
      const names = checksumPrefix === undefined ? await listNames(longPath(stock)) : [checksumPrefix]
      for (const name of names) if (/^[0-9a-f]{2}$/.test(name)) yield* contentsOf(name)
    },
    sizeOf: sha256 => fileSizeOf(fileOf(sha256)),
    async *read(sha256, offset = 0) {
      await using handle = await open(fileOf(sha256), 'r')
      yield* readPieces(handle, offset)
    },
    async put({ sha256 }: StockEntry, content: ContentSource, options: OperationOptions) {
      await makeFolder(UNFINISHED_FOLDER)
      const partPath = stockPath(UNFINISHED_FOLDER, newId())
      await writeAndCompare(partPath, { content, sha256, ...options })
      await moveIntoStock(partPath, sha256)
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
      await makeFolder(SET_ASIDE_FOLDER)
      await renameWithRetry(fileOf(sha256), asideFileOf(sha256)).catch(ignoreAbsence)
    },
    async bringBack(sha256) {
      if ((await fileSizeOf(fileOf(sha256))) !== null) await rm(asideFileOf(sha256), { force: true })
      else await moveIntoStock(asideFileOf(sha256), sha256).catch(ignoreAbsence)
    },
    listAside: async () => (await listNames(stockPath(SET_ASIDE_FOLDER))).filter(isSha256),
    removeAside: sha256 => rm(asideFileOf(sha256), { force: true }),

    readNote: () => readFile(stockPath(REREAD_NOTE_FILE), 'utf8').catch(ignoreAbsence),
    async writeNote(text) {
      await makeFolder(UNFINISHED_FOLDER)
      const partPath = stockPath(UNFINISHED_FOLDER, newId())
      await writeAndCompare(partPath, {
        content: async function* () {
          yield Buffer.from(text)
        },
      })
      await renameWithRetry(partPath, stockPath(REREAD_NOTE_FILE))
    },
  }

  async function* contentsOf(folderName: string): AsyncGenerator<StockEntry[]> {
    const names = await listNames(stockPath(folderName))
    const checksums = names.filter(name => isSha256(name) && name.startsWith(folderName))
    for (const batch of batches(checksums, CONCURRENT_STATS)) {
      const sizes = await Promise.all(batch.map(sha256 => fileSizeOf(fileOf(sha256))))
      yield batch.flatMap((sha256, index) => (sizes[index] == null ? [] : [{ sha256, size: sizes[index] }]))
    }
  }
}

const fileSizeOf = async (file: string) => {
  const stats = await stat(file).catch(ignoreAbsence)
  return stats?.isFile() ? stats.size : null
}

const listNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(ignoreAbsence)) ?? []

/** The archives in the folder, newest first; empty if there is no such folder. */
async function findArchives(folder: string): Promise<FoundArchive[]> {
  const archives: FoundArchive[] = []
  for (const name of await listNames(longPath(folder))) {
    const parsedName = parseArchiveName(name)
    const bytes = parsedName && (await fileSizeOf(longPath(join(folder, name))))
    if (bytes !== null) archives.push({ ...parsedName!, bytes })
  }
  return archives.sort(newestFirst)
}
