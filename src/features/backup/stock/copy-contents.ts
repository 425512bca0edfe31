/** Copies the contents that an archive names from one target to another. */
import { streamBatches } from '../../../base/batches.ts'
import type { ListedFile } from '../archive/file-list.ts'
import { isBatchFull, type OperationOptions, type Place, type StockEntry } from '../places/place.ts'
import type { ChecksumTable } from './checksum-table.ts'

export interface CopyContentsOptions {
  from: Place
  to: Place
  files: AsyncIterable<ListedFile>
  /** Sizes of the contents that `from` has, in bytes. */
  sourceSizes: ChecksumTable
  /** Sizes of the contents that `to` has, in bytes. */
  targetSizes: ChecksumTable
  options: OperationOptions
}

/**
 * Copies the contents that `to` lacks or has with another size. Returns the number of bytes copied. Rejects
 * with `ContentDiffers` if bytes that were read or written are wrong.
 */
export async function copyContents({
  from,
  to,
  files,
  sourceSizes,
  targetSizes,
  options,
}: CopyContentsOptions): Promise<number> {
  let copiedBytes = 0
  for await (const batch of streamBatches(missingEntries(), isBatchFull))
    await Promise.all(
      batch.map(async entry => {
        await to.put(entry, () => from.read(entry.sha256), options)
        copiedBytes += entry.size
      }),
    )
  await to.flush()
  return copiedBytes

  async function* missingEntries(): AsyncGenerator<StockEntry> {
    for await (const { sha256 } of files) {
      const size = sourceSizes.get(sha256)!
      if (targetSizes.get(sha256) === size) continue
      // The size is recorded before the copy, so that a second file with the same content is not copied at
      // the same time.
      targetSizes.set(sha256, size)
      yield { sha256, size }
    }
  }
}
