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
const PART = /^\.fundus-[0-9a-z]{16}\.teil(-liste)?$/
export const partFile = (folder: string, id: string) => join(folder, `.fundus-${id}.teil`)

/** The stock holds each content once, in folders named by the first two digits of its SHA-256. */
export const STOCK = 'bestand'
/** Two more folders of the stock: one for contents being written, one for contents that were set aside. */
const UNFINISHED = 'neu'
const ASIDE = 'weg'
/** The file that says when each folder of the stock was last read. */
const NOTE = 'geprueft.json'
/** Number of files whose size is read concurrently. */
const CONCURRENT = 32

export interface FolderPlace extends Place {
  /**
   * Gives the completely written archive `part` its name, which then survives a power cut. Returns false if a
   * run of another process has taken the name.
   */
  publish(part: string, name: string): Promise<boolean>
}

export function createFolderPlace(folder: string, newId: NewId): FolderPlace {
  const stock = join(folder, STOCK)
  const at = (...names: string[]) => longPath(join(stock, ...names))
  const fileOf = (sha256: string) => at(sha256.slice(0, 2), sha256)
  const asideOf = (sha256: string) => at(ASIDE, sha256)
  /** Folders of the stock that are known to exist. */
  const existing = new Set<string>()
  /** Folders of the stock that contain new names which are not flushed yet. */
  const unflushed = new Set<string>()

  async function makeFolder(name: string): Promise<void> {
    if (existing.has(name)) return
    await mkdir(at(name), { recursive: true })
    existing.add(name)
  }

  async function rename(part: string, name: string): Promise<void> {
    await renamePatiently(longPath(part), longPath(join(folder, name)))
    await flushFolder(folder)
  }

  async function moveIntoStock(from: string, sha256: string): Promise<void> {
    const name = sha256.slice(0, 2)
    await makeFolder(name)
    await renamePatiently(from, fileOf(sha256))
    unflushed.add(name)
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
      // Unfinished files may belong to a run that has lost its lease and still works. It fails without its
      // files, and no archive is lost.
      for (const name of await readdir(longPath(folder)))
        if (PART.test(name)) await rm(longPath(join(folder, name)), { force: true })
      for (const name of await namesIn(at(UNFINISHED))) await rm(at(UNFINISHED, name), { force: true })
    },
    freeBytes: async () => (await diskSpace(folder))?.free ?? null,

    archives: () => archivesIn(folder),
    openArchive: name => openArchive(join(folder, name)),
    async putArchive(name, archive, options) {
      const part = partFile(folder, newId())
      const whole = { start: 0, size: archive.size }
      await writeAndCompare(longPath(part), {
        content: () => contentOf(archive.newWindow(), whole),
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
      await makeFolder(UNFINISHED)
      const part = at(UNFINISHED, newId())
      await writeAndCompare(part, { content, sha256, ...options })
      await moveIntoStock(part, sha256)
    },
    async flush() {
      for (const name of unflushed) await flushFolder(at(name))
      if (unflushed.size > 0) {
        await flushFolder(at())
        await flushFolder(folder)
      }
      unflushed.clear()
    },

    async setAside(sha256) {
      await makeFolder(ASIDE)
      await renamePatiently(fileOf(sha256), asideOf(sha256)).catch(ignoreAbsence)
    },
    async bringBack(sha256) {
      if ((await sizeOf(fileOf(sha256))) !== null) await rm(asideOf(sha256), { force: true })
      else await moveIntoStock(asideOf(sha256), sha256).catch(ignoreAbsence)
    },
    listAside: async () => (await namesIn(at(ASIDE))).filter(isSha256),
    removeAside: sha256 => rm(asideOf(sha256), { force: true }),

    readNote: () => readFile(at(NOTE), 'utf8').catch(ignoreAbsence),
    async writeNote(text) {
      await makeFolder(UNFINISHED)
      const part = at(UNFINISHED, newId())
      await writeAndCompare(part, {
        content: async function* () {
          yield Buffer.from(text)
        },
      })
      await renamePatiently(part, at(NOTE))
    },
  }

  async function* contentsOf(name: string): AsyncGenerator<StockEntry[]> {
    const sums = (await namesIn(at(name))).filter(sum => isSha256(sum) && sum.startsWith(name))
    for (const some of batches(sums, CONCURRENT)) {
      const sizes = await Promise.all(some.map(sum => sizeOf(fileOf(sum))))
      yield some.flatMap((sha256, index) => (sizes[index] == null ? [] : [{ sha256, size: sizes[index] }]))
    }
  }
}

const sizeOf = async (file: string) => {
  const facts = await stat(file).catch(ignoreAbsence)
  return facts?.isFile() ? facts.size : null
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
