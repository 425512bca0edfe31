/**
 * Generates the tar for the download of an archive: the archive and the contents of all its files (format 1).
 * This tar can be restored without the content store of the backup target. An archive without a file list is
 * sent unchanged. The tar is generated while it is sent, without a copy on disk. Its bytes are the same each
 * time, and all sizes and checksums are known beforehand. So a download has a length and an ETag, and can be
 * resumed.
 */
import { createLowPriorityHash, sha256 } from '../../../base/hash/sha256.ts'
import {
  CHECKSUMS_ENTRY,
  checksumLine,
  FILE_LIST_ENTRY,
  MANIFEST_ENTRY,
  type Manifest,
  WHOLE_ARCHIVE_FORMAT,
} from '../../../contract/service/backup-archive.ts'
import { archiveTrouble } from '../../../errors/errors.ts'
import type { ByteRange } from '../../../storage/storage.ts'
import type { Place } from '../places/place.ts'
import { type ArchiveFile, endOfEntry, entryLines, readContent } from './archive-reader.ts'
import { encodeManifest, entryHeader } from './archive-writer.ts'
import { findFileList } from './file-list.ts'
import { type ListedRow, listedRows } from './listed-rows.ts'
import { END_BYTES, type LocatedEntry, paddingOf, readEntry } from './tar.ts'
import { readManifest } from './verify.ts'

/** A part of the tar. `readFrom` yields its bytes from an offset on, in chunks that the caller may keep. */
interface Segment {
  size: number
  readFrom(offset: number): AsyncIterable<Uint8Array>
}

interface WholeArchive {
  size: number
  /**
   * Identifies the bytes of the tar: a checksum of the manifest and, if the archive has a file list, of the
   * list of checksums.
   */
  etag: string
  segments: AsyncIterable<Segment>
}

/**
 * Returns the size and the ETag of the whole tar. Rejects with `BackupTrouble` if the archive turns out to be
 * damaged, or the content of a file is missing.
 */
export async function measureWholeArchive(
  place: Place,
  name: string,
): Promise<Pick<WholeArchive, 'size' | 'etag'>> {
  await using archive = await place.openArchive(name)
  const { size, etag } = await planWholeArchive(archive, place)
  return { size, etag }
}

/** Yields a range of the whole tar. Throws in mid-stream if the content of a file turns out to be damaged. */
export async function* readWholeArchive(
  place: Place,
  name: string,
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  await using archive = await place.openArchive(name)
  const { segments } = await planWholeArchive(archive, place)
  let position = 0
  for await (const { size, readFrom } of segments) {
    const skippedBytes = Math.max(0, range.start - position)
    let remainingBytes = Math.min(size, range.end - position) - skippedBytes
    if (remainingBytes > 0)
      for await (const chunk of readFrom(skippedBytes)) {
        yield chunk.subarray(0, remainingBytes)
        remainingBytes -= chunk.length
        if (remainingBytes <= 0) break
      }
    position += size
    if (position >= range.end) return
  }
}

async function planWholeArchive(archive: ArchiveFile, place: Place): Promise<WholeArchive> {
  const manifest = await readManifest(archive)
  const list = await findFileList(archive, manifest)
  const etag = sha256(JSON.stringify([manifest, list && (await readChecksumLines(archive, manifest))]))
  if (list) return { etag, ...(await planTar(archive, place, manifest, list)) }
  return {
    etag,
    size: archive.size,
    segments: (async function* () {
      yield archiveSegment(archive, 0, archive.size)
    })(),
  }
}

async function planTar(archive: ArchiveFile, place: Place, manifest: Manifest, listEntry: LocatedEntry) {
  const { zeit: createdAt } = manifest
  const tablesStart = endOfEntry((await readEntry(archive.read, 0))!)
  const tablesEnd = listEntry.start - entryHeader(FILE_LIST_ENTRY, listEntry.size, createdAt).length
  let checksumsStart = tablesEnd
  for await (const { header, size } of tarFiles()) checksumsStart += header.length + size + paddingOf(size)
  const manifestBytes = encodeManifest({
    ...manifest,
    format: WHOLE_ARCHIVE_FORMAT,
    pruefsummen_ab: checksumsStart,
  })
  const tableLines = (await readChecksumLines(archive, manifest)).slice(1, -1).join('')
  const leadingLines = Buffer.from(checksumLine(sha256(manifestBytes), MANIFEST_ENTRY) + tableLines)
  const checksumsSize = leadingLines.length + listEntry.size
  const checksumsHeader = entryHeader(CHECKSUMS_ENTRY, checksumsSize, createdAt)
  const endSize = paddingOf(checksumsSize) + END_BYTES

  async function* tarFiles() {
    for await (const file of listedRows(archive, manifest)) {
      const size = await place.sizeOf(file.sha256)
      if (size === null) throw archiveTrouble.contentMissing(file.name, file.sha256)
      yield { file, size, header: entryHeader(file.name, size, file.row.updated_at) }
    }
  }

  async function* segments(): AsyncGenerator<Segment> {
    yield memorySegment(entryHeader(MANIFEST_ENTRY, manifestBytes.length, createdAt), manifestBytes)
    yield archiveSegment(archive, tablesStart, tablesEnd)
    for await (const { file, size, header } of tarFiles()) {
      yield memorySegment(header)
      yield { size, readFrom: offset => readVerifiedContent(place, file, size, offset) }
      yield memorySegment(new Uint8Array(paddingOf(size)))
    }
    yield memorySegment(checksumsHeader, leadingLines)
    yield archiveSegment(archive, listEntry.start, listEntry.start + listEntry.size)
    yield memorySegment(new Uint8Array(endSize))
  }
  return { size: checksumsStart + checksumsHeader.length + checksumsSize + endSize, segments: segments() }
}

/**
 * The lines of the list of checksums. The first line is that of the manifest, the last that of
 * `dateien.sha256`.
 */
async function readChecksumLines(
  archive: ArchiveFile,
  { pruefsummen_ab: checksumsStart }: Manifest,
): Promise<string[]> {
  const checksumsEntry = await readEntry(archive.read, checksumsStart)
  if (!checksumsEntry) throw archiveTrouble.listLost()
  return (await Array.fromAsync(entryLines(archive, checksumsEntry))).map(line => `${line}\n`)
}

function memorySegment(...parts: Uint8Array[]): Segment {
  const bytes = Buffer.concat(parts)
  return {
    size: bytes.length,
    async *readFrom(offset) {
      yield bytes.subarray(offset)
    },
  }
}

const archiveSegment = (archive: ArchiveFile, start: number, end: number): Segment => ({
  size: end - start,
  async *readFrom(offset) {
    const range = { start: start + offset, size: end - start - offset }
    for await (const chunk of readContent(archive.newReader(), range)) yield Buffer.from(chunk)
  },
})

/**
 * Yields the content of a file from an offset on. Throws at the end if the length of the content is wrong, or
 * its checksum, which is compared only if the content is read from its start.
 */
async function* readVerifiedContent(
  place: Place,
  { sha256: expectedSha256, name }: ListedRow,
  size: number,
  offset: number,
): AsyncGenerator<Uint8Array> {
  const hash = createLowPriorityHash()
  let position = offset
  try {
    for await (const chunk of place.read(expectedSha256, offset)) {
      position += chunk.length
      await hash.add(chunk)
      // When the content is read from the start, its last chunk is sent only after the checksum matched, so
      // that damaged content is never sent completely.
      if (position < size) yield Buffer.from(chunk)
      else if (position > size || (offset === 0 && (await hash.digest()) !== expectedSha256)) break
      else return yield Buffer.from(chunk)
    }
  } finally {
    hash.drop()
  }
  if (size > 0 || position > 0) throw archiveTrouble.contentBroken(name, expectedSha256)
}
