/** Lists the content store of a target, and makes sure that it has all contents that an archive names. */
import type { ListedFile } from '../archive/file-list.ts'
import type { Place } from '../places/place.ts'
import { type ChecksumTable, createChecksumTable } from './checksum-table.ts'

/** Returns the sizes of all contents in the content store, in bytes. */
export async function readContentSizes(place: Place): Promise<ChecksumTable> {
  const contentSizes = createChecksumTable()
  for await (const page of place.contents())
    for (const { sha256, size } of page) contentSizes.set(sha256, size)
  return contentSizes
}

/**
 * Makes sure that the target has every content that a published archive names, even if another run removes
 * contents at the same time. That run sets contents aside first and lists the archives afterwards (`prune`).
 * This check comes after the publication, so at least one of the two runs notices the other. `repair` is
 * called for a file whose content is missing. Returns the sizes of all contents at the target.
 */
export async function ensureContents<File extends ListedFile>(
  place: Place,
  files: AsyncIterable<File>,
  repair: (file: File) => Promise<void>,
): Promise<ChecksumTable> {
  const contentSizes = await readContentSizes(place)
  for await (const file of files) {
    if (contentSizes.has(file.sha256)) continue
    await place.bringBack(file.sha256)
    if ((await place.sizeOf(file.sha256)) === null) await repair(file)
    contentSizes.set(file.sha256, (await place.sizeOf(file.sha256)) ?? 0)
  }
  await place.flush()
  return contentSizes
}
