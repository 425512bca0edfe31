/** Copies file contents from the library into the content store of a backup target, each once. */
import { open } from 'node:fs/promises'
import { isSha256 } from '../../../contract/service/backup-archive.ts'
import { longPath } from '../../../storage/local/platform.ts'
import type { Storage } from '../../../storage/storage.ts'
import { readPieces } from '../archive/read-file.ts'
import type { FileRow } from '../archive/write-archive.ts'
import { ContentDiffers, type OperationOptions, type Place, type StockEntry } from '../places/place.ts'
import { digestOf } from '../places/write-and-compare.ts'
import type { ChecksumTable } from './checksum-table.ts'

export interface LibraryCopiesParts {
  storage: Pick<Storage, 'withLocalFile'>
  place: Place
  /** Sizes in bytes of the contents that the target has. Copied contents are added. */
  contentSizes: ChecksumTable
  options: OperationOptions
}

export function createLibraryCopies({ storage, place, contentSizes, options }: LibraryCopiesParts) {
  /** Copies in progress, by checksum: files with equal content often follow one another. */
  const copiesInProgress = new Map<string, Promise<StockEntry | null>>()
  let copiedBytes = 0

  async function put(entry: StockEntry, content: () => AsyncIterable<Uint8Array>): Promise<StockEntry> {
    if (contentSizes.get(entry.sha256) === entry.size) return entry
    await place.put(entry, content, options)
    contentSizes.set(entry.sha256, entry.size)
    copiedBytes += entry.size
    return entry
  }

  const copy = ({ object, sha256 }: FileRow) =>
    storage.withLocalFile(object, async file => {
      await using handle = await open(longPath(file), 'r')
      const { size } = await handle.stat()
      const content = () => readablePart(handle, size)
      // Awaited here, because the file is closed at the end of this function.
      if (!isSha256(sha256)) return await put(await digestOf(content(), options), content)
      try {
        return await put({ sha256, size }, content)
      } catch (error) {
        // The bytes in the library were altered. They are stored under their actual checksum.
        if (error instanceof ContentDiffers && error.side === 'source')
          return await put(error.foundEntry, content)
        throw error
      }
    })

  return {
    /** Number of bytes copied so far. */
    get copiedBytes() {
      return copiedBytes
    },
    /**
     * Stores the content of a file, unless the target has it. Returns the entry that the target now has for
     * the file; null if the library lacks the content.
     */
    async store(row: FileRow): Promise<StockEntry | null> {
      const { sha256, size } = row
      const storedSize = isSha256(sha256) ? contentSizes.get(sha256) : undefined
      if (storedSize === size) return { sha256, size }
      for (
        let otherCopy = copiesInProgress.get(sha256);
        otherCopy;
        otherCopy = copiesInProgress.get(sha256)
      ) {
        // Another file whose row has the same checksum is being copied. The bytes of that file may be missing
        // or altered although the bytes of this file are intact.
        const otherEntry = await otherCopy
        if (otherEntry?.sha256 === sha256) return otherEntry
      }
      const newCopy = copy(row).finally(() => copiesInProgress.delete(sha256))
      copiesInProgress.set(sha256, newCopy)
      return newCopy
    },
  }
}

/**
 * Yields the bytes up to the first read error and then ends without an error, because a part of a file is
 * better than nothing. The checksum reveals the damage.
 */
async function* readablePart(
  handle: Parameters<typeof readPieces>[0],
  size: number,
): AsyncGenerator<Uint8Array> {
  try {
    yield* readPieces(handle, 0, size)
  } catch {
    return
  }
}
