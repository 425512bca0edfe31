/**
 * Verifies an archive byte by byte: headers are rebuilt and compared, contents are hashed and compared with
 * the list of checksums, padding and end must be zeros, and nothing may follow. The list is read line by line
 * along with the entries. So an error can name the broken entry, and the list may be larger than the memory.
 */

import { createLowPriorityHash, sha256OfStream } from '../../../base/hash/sha256.ts'
import {
  ARCHIVE_FORMAT,
  CHECKSUMS_ENTRY,
  checksumLine,
  MANIFEST_BYTES,
  MANIFEST_ENTRY,
  type Manifest,
  manifestSchema,
} from '../../../contract/service/backup-archive.ts'
import { archiveTrouble } from '../../../errors/errors.ts'
import { type ArchiveFile, endOfEntry, entryLines, isAllZeros, readContent } from './archive-reader.ts'
import { BLOCK_BYTES, END_BYTES, type LocatedEntry, paddingOf, readEntry } from './tar.ts'

export const ENTRY_NAME =
  /^(manifest\.json|dateien\.sha256|datenbank\/[a-z_]+\.jsonl|dateien(\/[A-Za-z0-9][A-Za-z0-9._~-]*){1,8}|papierkorb\/[0-9]+\/[A-Za-z0-9][A-Za-z0-9._~-]*)$/

export interface VerifyOptions {
  /** Called with the number of bytes just checked. */
  onBytes?: (count: number) => void
  signal?: AbortSignal
}

/** Resolves with the manifest, or rejects with an error that names the broken part. */
export async function verifyArchive(archive: ArchiveFile, options: VerifyOptions = {}): Promise<Manifest> {
  const manifest = await readManifest(archive)
  const checksumsEntry = await readChecksumsHeader(archive, manifest)
  const lines = entryLines(archive, checksumsEntry)
  let previousName = 'dem Anfang'
  for (let position = 0; position < manifest.pruefsummen_ab; ) {
    options.signal?.throwIfAborted()
    const entry = await readEntry(archive.read, position)
    if (entry === null || endOfEntry(entry) > manifest.pruefsummen_ab)
      throw archiveTrouble.headerBroken(previousName)
    if (!ENTRY_NAME.test(entry.name)) throw archiveTrouble.nameForeign(entry.name)
    await verifyContent(archive, entry, (await lines.next()).value, options)
    previousName = entry.name
    options.onBytes?.(endOfEntry(entry) - position)
    position = endOfEntry(entry)
  }
  if (!(await lines.next()).done) throw archiveTrouble.broken(CHECKSUMS_ENTRY)
  return manifest
}

async function verifyContent(
  archive: ArchiveFile,
  entry: LocatedEntry,
  expectedLine: string | undefined,
  { signal }: VerifyOptions,
): Promise<void> {
  const hash = await sha256OfStream(
    readContent(archive.read, entry),
    () => signal?.throwIfAborted(),
    createLowPriorityHash(),
  )
  if (`${expectedLine}\n` !== checksumLine(hash, entry.name)) throw archiveTrouble.broken(entry.name)
  if (!(await isAllZeros(archive.read, entry.start + entry.size, paddingOf(entry.size))))
    throw archiveTrouble.paddingBroken(entry.name)
}

/**
 * Reads the manifest without comparing its checksum. `verifyArchive` compares it later, and until then uses
 * the manifest only to find the list of checksums.
 */
export async function readManifest(archive: ArchiveFile): Promise<Manifest> {
  const entry = await readEntry(archive.read, 0)
  if (entry === null || entry.name !== MANIFEST_ENTRY || entry.size !== MANIFEST_BYTES)
    throw archiveTrouble.foreign()
  const text = Buffer.from(await archive.read(entry.start, entry.size)).toString('utf8')
  if (archive.size < endOfEntry(entry)) throw archiveTrouble.cut(archive.size)
  let parsedText: unknown
  try {
    parsedText = JSON.parse(text)
  } catch {
    throw archiveTrouble.broken(MANIFEST_ENTRY)
  }
  const format =
    typeof parsedText === 'object' && parsedText !== null && 'format' in parsedText
      ? parsedText.format
      : undefined
  if (typeof format === 'number' && format > ARCHIVE_FORMAT) throw archiveTrouble.formatUnknown(format)
  const result = manifestSchema.safeParse(parsedText)
  if (!result.success) throw archiveTrouble.broken(MANIFEST_ENTRY)
  return result.data
}

/**
 * Reads the header of the list of checksums. Checks that only padding and the zeros at the end of a tar
 * follow this list.
 */
async function readChecksumsHeader(archive: ArchiveFile, manifest: Manifest): Promise<LocatedEntry> {
  if (manifest.pruefsummen_ab + BLOCK_BYTES > archive.size) throw archiveTrouble.cut(archive.size)
  const checksumsEntry = await readEntry(archive.read, manifest.pruefsummen_ab)
  if (checksumsEntry === null || checksumsEntry.name !== CHECKSUMS_ENTRY) throw archiveTrouble.listLost()
  const end = endOfEntry(checksumsEntry) + END_BYTES
  if (archive.size < end) throw archiveTrouble.cut(archive.size)
  if (archive.size > end) throw archiveTrouble.tooLong(archive.size - end)
  const padding = paddingOf(checksumsEntry.size)
  if (!(await isAllZeros(archive.read, end - END_BYTES - padding, padding)))
    throw archiveTrouble.paddingBroken(CHECKSUMS_ENTRY)
  if (!(await isAllZeros(archive.read, end - END_BYTES, END_BYTES))) throw archiveTrouble.endBroken()
  return checksumsEntry
}
