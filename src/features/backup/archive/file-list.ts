/** Reads `dateien.sha256`, the list in an archive that names each file with the checksum of its content. */
import { sha256Of, unhurriedHash } from '../../../base/hash/sha256.ts'
import {
  CHECKSUMS,
  checksumLine,
  FILE_LIST,
  type Manifest,
  parseChecksumLine,
  WHOLE_FORMAT,
} from '../../../contract/upload/archive.ts'
import { archiveTrouble } from '../../../errors/errors.ts'
import { type ArchiveFile, contentOf, entriesOf, entryLines } from './archive-reader.ts'
import { type ReadEntry, readEntry } from './tar.ts'
import { ENTRY_NAME, readManifest } from './verify.ts'

export interface ListedFile {
  sha256: string
  name: string
}

/** Null if the archive has no list: it contains its files, or only rows. */
export async function findFileList(archive: ArchiveFile, manifest: Manifest): Promise<ReadEntry | null> {
  if (manifest.format === WHOLE_FORMAT || manifest.nur_liste) return null
  for await (const entry of entriesOf(archive, manifest.pruefsummen_ab))
    if (entry.name === FILE_LIST) return entry
  throw archiveTrouble.broken(FILE_LIST)
}

export async function* filesInList(archive: ArchiveFile, list: ReadEntry): AsyncGenerator<ListedFile> {
  for await (const line of entryLines(archive, list)) {
    const file = parseChecksumLine(line)
    if (!file) throw archiveTrouble.broken(FILE_LIST)
    if (!ENTRY_NAME.test(file.name)) throw archiveTrouble.nameForeign(file.name)
    yield file
  }
}

/**
 * The files that an archive names; none if it contains them itself. The checksum of the list is verified
 * before the first file is yielded, because contents that no list names are removed.
 */
export async function* filesNamedBy(archive: ArchiveFile): AsyncGenerator<ListedFile> {
  const manifest = await readManifest(archive)
  const list = await findFileList(archive, manifest)
  if (!list) return
  const sha256 = await sha256Of(contentOf(archive.read, list), undefined, unhurriedHash())
  if (!(await hasLine(archive, manifest, checksumLine(sha256, FILE_LIST))))
    throw archiveTrouble.broken(FILE_LIST)
  yield* filesInList(archive, list)
}

async function hasLine(archive: ArchiveFile, { pruefsummen_ab }: Manifest, wanted: string): Promise<boolean> {
  const checksums = await readEntry(archive.read, pruefsummen_ab)
  if (checksums?.name !== CHECKSUMS) throw archiveTrouble.listLost()
  for await (const line of entryLines(archive, checksums)) if (`${line}\n` === wanted) return true
  return false
}
