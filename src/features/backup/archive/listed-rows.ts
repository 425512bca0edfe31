/**
 * Reads the rows of the files in an archive, each with the checksum that the file list states for its
 * content.
 */
import { FILE_FIELD_OF_ROW, type Manifest, tableEntry } from '../../../contract/service/backup-archive.ts'
import { archiveTrouble } from '../../../errors/errors.ts'
import { type ArchiveFile, entriesOf, entryLines } from './archive-reader.ts'
import { filesInList, findFileList, type ListedFile } from './file-list.ts'
import { FILE_TABLES } from './tables.ts'
import type { FileRow } from './write-archive.ts'

export interface ListedRow extends ListedFile {
  row: FileRow
}

/**
 * Yields the rows of the files in the archive's file list, in the order of the list; nothing if the archive
 * has no list. Skips rows of files that were missing when the archive was made. Does not verify checksums.
 */
export async function* listedRows(archive: ArchiveFile, manifest: Manifest): AsyncGenerator<ListedRow> {
  const list = await findFileList(archive, manifest)
  if (!list) return
  const files = filesInList(archive, list)
  let nextFile = (await files.next()).value as ListedFile | undefined
  for await (const row of fileRows(archive, manifest)) {
    if (row[FILE_FIELD_OF_ROW] !== nextFile?.name) continue
    yield { ...nextFile, row }
    nextFile = (await files.next()).value as ListedFile | undefined
  }
  if (nextFile) throw archiveTrouble.nameForeign(nextFile.name)
}

async function* fileRows(archive: ArchiveFile, manifest: Manifest): AsyncGenerator<FileRow> {
  const tableEntries = FILE_TABLES.map(tableEntry)
  for await (const entry of entriesOf(archive, manifest.pruefsummen_ab))
    if (tableEntries.includes(entry.name))
      for await (const line of entryLines(archive, entry)) yield JSON.parse(line) as FileRow
}
