/**
 * Reads the contents of an archive's files in the order of their rows, from the archive or the content store.
 */
import { FILE_LIST_ENTRY } from '../../contract/service/backup-archive.ts'
import { readContent } from '../backup/archive/archive-reader.ts'
import { filesInList } from '../backup/archive/file-list.ts'
import type { LocatedEntry } from '../backup/archive/tar.ts'
import type { ArchiveSource } from './archive-source.ts'

export interface FileSource {
  /**
   * The content of the file with this name; null if it was missing when the archive was made. Must be called
   * once for each row of a file, in the order of the rows.
   */
  take(name: string): Promise<FileContent | null>
  /**
   * Called after all rows were read. Returns the name of a file in the archive that belongs to no row;
   * undefined if there is none.
   */
  leftoverName(): Promise<string | undefined>
}

interface FileContent {
  size: number
  /** The SHA-256 of the content, if it is known without reading the content. */
  sha256?: string
  content: AsyncIterable<Uint8Array>
}

/**
 * `entryAfterTables`: the first entry of the archive after the tables. `nextEntry` returns the entries that
 * follow it, one per call.
 */
export async function openFileSource(
  source: ArchiveSource,
  entryAfterTables: LocatedEntry | undefined,
  nextEntry: () => Promise<LocatedEntry | undefined>,
): Promise<FileSource> {
  return entryAfterTables?.name === FILE_LIST_ENTRY
    ? createStockFileSource(source, entryAfterTables)
    : createArchiveFileSource(source, entryAfterTables, nextEntry)
}

function createArchiveFileSource(
  { archive }: ArchiveSource,
  entryAfterTables: LocatedEntry | undefined,
  nextEntry: () => Promise<LocatedEntry | undefined>,
): FileSource {
  let entry = entryAfterTables
  let isEntryTaken = false
  async function peek(): Promise<LocatedEntry | undefined> {
    if (isEntryTaken) entry = await nextEntry()
    isEntryTaken = false
    return entry
  }
  return {
    async take(name) {
      const nextContent = await peek()
      if (nextContent?.name !== name) return null
      isEntryTaken = true
      return { size: nextContent.size, content: readContent(archive.read, nextContent) }
    },
    leftoverName: async () => (await peek())?.name,
  }
}

async function createStockFileSource(
  { archive, place }: ArchiveSource,
  listEntry: LocatedEntry,
): Promise<FileSource> {
  const files = filesInList(archive, listEntry)
  const nextFile = async () => (await files.next()).value || undefined
  let file = await nextFile()
  return {
    async take(name) {
      if (file?.name !== name) return null
      const { sha256 } = file
      file = await nextFile()
      return { size: (await place.sizeOf(sha256)) ?? 0, sha256, content: place.read(sha256) }
    },
    leftoverName: async () => file?.name,
  }
}
