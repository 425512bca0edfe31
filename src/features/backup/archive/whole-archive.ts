/**
 * An archive together with its contents as one tar of format 1, which can be restored by itself. It is
 * generated while it is sent, without a copy on disk. Its bytes are always the same, and all sizes and
 * checksums are known beforehand. So a download has a length and a checksum, and can be resumed.
 */
import { lowPriorityHash, sha256 } from '../../../base/hash/sha256.ts'
import {
  CHECKSUMS,
  checksumLine,
  FILE_LIST,
  MANIFEST,
  type Manifest,
  WHOLE_FORMAT,
} from '../../../contract/upload/archive.ts'
import { archiveTrouble } from '../../../errors/errors.ts'
import type { ByteRange } from '../../../storage/storage.ts'
import type { Place } from '../places/place.ts'
import { type ArchiveFile, contentOf, endOf, entryLines } from './archive-reader.ts'
import { entryHeader, manifestText } from './archive-writer.ts'
import { findFileList } from './file-list.ts'
import { type ListedRow, listedRows } from './listed-rows.ts'
import { END_BYTES, paddingOf, type ReadEntry, readEntry } from './tar.ts'
import { readManifest } from './verify.ts'

/** A part of the tar. `read` yields the bytes of the part from an offset on, in chunks that stay valid. */
interface Segment {
  size: number
  read(from: number): AsyncIterable<Uint8Array>
}

interface WholeArchive {
  size: number
  /** A checksum of the manifest and of the list of checksums; the headers follow from these. */
  etag: string
  segments: AsyncIterable<Segment>
}

/** Size and etag of the whole tar. Rejects with `BackupTrouble` if the content of a file is missing. */
export async function measureWholeArchive(
  place: Place,
  name: string,
): Promise<Pick<WholeArchive, 'size' | 'etag'>> {
  await using archive = await place.openArchive(name)
  const { size, etag } = await planWhole(archive, place)
  return { size, etag }
}

/** A range of the whole tar. Throws in the middle if the content of a file turns out to be damaged. */
export async function* readWholeArchive(
  place: Place,
  name: string,
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  await using archive = await place.openArchive(name)
  const { segments } = await planWhole(archive, place)
  let position = 0
  for await (const { size, read } of segments) {
    const from = Math.max(0, range.start - position)
    let left = Math.min(size, range.end - position) - from
    if (left > 0)
      for await (const chunk of read(from)) {
        yield chunk.subarray(0, left)
        left -= chunk.length
        if (left <= 0) break
      }
    position += size
    if (position >= range.end) return
  }
}

async function planWhole(archive: ArchiveFile, place: Place): Promise<WholeArchive> {
  const manifest = await readManifest(archive)
  const list = await findFileList(archive, manifest)
  const etag = sha256(JSON.stringify([manifest, list && (await checksumsOf(archive, manifest))]))
  if (list) return { etag, ...(await planTar(archive, place, manifest, list)) }
  return {
    etag,
    size: archive.size,
    segments: (async function* () {
      yield archiveSegment(archive, 0, archive.size)
    })(),
  }
}

async function planTar(archive: ArchiveFile, place: Place, manifest: Manifest, list: ReadEntry) {
  const { zeit } = manifest
  const tablesFrom = endOf((await readEntry(archive.read, 0))!)
  const tablesTo = list.start - entryHeader(FILE_LIST, list.size, zeit).length
  let checksumsFrom = tablesTo
  for await (const { header, size } of tarFiles()) checksumsFrom += header.length + size + paddingOf(size)
  const text = manifestText({ ...manifest, format: WHOLE_FORMAT, pruefsummen_ab: checksumsFrom })
  const tableLines = (await checksumsOf(archive, manifest)).slice(1, -1).join('')
  const lines = Buffer.from(checksumLine(sha256(text), MANIFEST) + tableLines)
  const checksumsSize = lines.length + list.size
  const checksumsHead = entryHeader(CHECKSUMS, checksumsSize, zeit)
  const end = paddingOf(checksumsSize) + END_BYTES

  async function* tarFiles() {
    for await (const file of listedRows(archive, manifest)) {
      const size = await place.sizeOf(file.sha256)
      if (size === null) throw archiveTrouble.contentMissing(file.name, file.sha256)
      yield { file, size, header: entryHeader(file.name, size, file.row.updated_at) }
    }
  }

  async function* segments(): AsyncGenerator<Segment> {
    yield memorySegment(entryHeader(MANIFEST, text.length, zeit), text)
    yield archiveSegment(archive, tablesFrom, tablesTo)
    for await (const { file, size, header } of tarFiles()) {
      yield memorySegment(header)
      yield { size, read: from => contentFrom(place, file, size, from) }
      yield memorySegment(new Uint8Array(paddingOf(size)))
    }
    yield memorySegment(checksumsHead, lines)
    yield archiveSegment(archive, list.start, list.start + list.size)
    yield memorySegment(new Uint8Array(end))
  }
  return { size: checksumsFrom + checksumsHead.length + checksumsSize + end, segments: segments() }
}

/**
 * The lines of the list of checksums: the first is that of the manifest, the last that of `dateien.sha256`.
 */
async function checksumsOf(archive: ArchiveFile, { pruefsummen_ab }: Manifest): Promise<string[]> {
  const checksums = await readEntry(archive.read, pruefsummen_ab)
  if (!checksums) throw archiveTrouble.listLost()
  return (await Array.fromAsync(entryLines(archive, checksums))).map(line => `${line}\n`)
}

function memorySegment(...parts: Uint8Array[]): Segment {
  const bytes = Buffer.concat(parts)
  return {
    size: bytes.length,
    async *read(from) {
      yield bytes.subarray(from)
    },
  }
}

const archiveSegment = (archive: ArchiveFile, start: number, end: number): Segment => ({
  size: end - start,
  async *read(from) {
    const range = { start: start + from, size: end - start - from }
    for await (const chunk of contentOf(archive.newWindow(), range)) yield Buffer.from(chunk)
  },
})

/**
 * Yields the content of a file from an offset on. Throws at the end if its length is wrong, or if its
 * checksum is wrong and it was read from the start.
 */
async function* contentFrom(
  place: Place,
  { sha256: expected, name }: ListedRow,
  size: number,
  from: number,
): AsyncGenerator<Uint8Array> {
  const hash = lowPriorityHash()
  let position = from
  try {
    for await (const chunk of place.read(expected, from)) {
      position += chunk.length
      await hash.add(chunk)
      // The last chunk is sent only after the checksum matched, so that a damaged content is never complete.
      if (position < size) yield Buffer.from(chunk)
      else if (position > size || (from === 0 && (await hash.digest()) !== expected)) break
      else return yield Buffer.from(chunk)
    }
  } finally {
    hash.drop()
  }
  if (size > 0) throw archiveTrouble.contentBroken(name, expected)
}
