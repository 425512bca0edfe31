/** Reads `dateien.sha256`, the list in an archive that names each file with the checksum of its content. */
import { createLowPriorityHash, type StreamHash } from '../../../base/hash/sha256.ts'
import {
  CHECKSUMS_ENTRY,
  checksumLine,
  FILE_LIST_ENTRY,
  type Manifest,
  parseChecksumLine,
  WHOLE_ARCHIVE_FORMAT,
} from '../../../contract/service/backup-archive.ts'
import { archiveTrouble } from '../../../errors/errors.ts'
import { type ArchiveFile, entriesOf, entryLines, readContent } from './archive-reader.ts'
import { splitIntoLines } from './read-file.ts'
import { type LocatedEntry, readEntry } from './tar.ts'
import { ENTRY_NAME, readManifest } from './verify.ts'

export interface ListedFile {
  sha256: string
  name: string
}

/**
 * Finds the file list of an archive; null if the archive contains the files themselves, or only rows. Rejects
 * if the list is missing from any other archive.
 */
export async function findFileList(archive: ArchiveFile, manifest: Manifest): Promise<LocatedEntry | null> {
  if (manifest.format === WHOLE_ARCHIVE_FORMAT || manifest.nur_liste) return null
  for await (const entry of entriesOf(archive, manifest.pruefsummen_ab))
    if (entry.name === FILE_LIST_ENTRY) return entry
  throw archiveTrouble.broken(FILE_LIST_ENTRY)
}

/** Yields the files in the list of an archive; nothing if the archive has no list. */
export async function* listedFiles(archive: ArchiveFile, manifest: Manifest): AsyncGenerator<ListedFile> {
  const list = await findFileList(archive, manifest)
  if (list) yield* filesInList(archive, list)
}

export const filesInList = (archive: ArchiveFile, listEntry: LocatedEntry) =>
  parseFileLines(entryLines(archive, listEntry))

async function* parseFileLines(lines: AsyncIterable<string>): AsyncGenerator<ListedFile> {
  for await (const line of lines) {
    const file = parseChecksumLine(line)
    if (!file) throw archiveTrouble.broken(FILE_LIST_ENTRY)
    if (!ENTRY_NAME.test(file.name)) throw archiveTrouble.nameForeign(file.name)
    yield file
  }
}

/**
 * Yields the files in the list of an archive; nothing if the archive has no list. Throws at the end if the
 * checksum of the list is wrong, because `prune` removes contents that no list names.
 */
export async function* readAndVerifyFileList(archive: ArchiveFile): AsyncGenerator<ListedFile> {
  const manifest = await readManifest(archive)
  const list = await findFileList(archive, manifest)
  if (!list) return
  const hash = createLowPriorityHash()
  try {
    yield* parseFileLines(splitIntoLines(hashPieces(readContent(archive.newReader(), list), hash)))
    if (!(await hasChecksumLine(archive, manifest, checksumLine(await hash.digest(), FILE_LIST_ENTRY))))
      throw archiveTrouble.broken(FILE_LIST_ENTRY)
  } finally {
    hash.drop()
  }
}

async function* hashPieces(pieces: AsyncIterable<Uint8Array>, hash: StreamHash): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    await hash.add(piece)
    yield piece
  }
}

async function hasChecksumLine(
  archive: ArchiveFile,
  { pruefsummen_ab: checksumsStart }: Manifest,
  expectedLine: string,
): Promise<boolean> {
  const checksumsEntry = await readEntry(archive.read, checksumsStart)
  if (checksumsEntry?.name !== CHECKSUMS_ENTRY) throw archiveTrouble.listLost()
  for await (const line of entryLines(archive, checksumsEntry)) if (`${line}\n` === expectedLine) return true
  return false
}
