/** Produces the entries of a ZIP download. Files are read one by one while the archive is sent. */
import { MISSING_FILES_NOTE } from '../../contract/files/download.ts'
import type { Database } from '../../database/database.ts'
import type { Storage, StoredObject } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import type { FileSummary } from '../folders/files-below.ts'
import type { ZipEntry } from './zip-writer.ts'

export type DownloadParts = Pick<FeatureParts, 'database' | 'storage' | 'now'>

/**
 * Yields the entries. `omittedLength`: number of characters to omit from the start of each path. The rows of
 * `files` are read in batches during the download. A file that is moved after its row was read keeps its
 * previous name in the archive. If a file is deleted after its row was read and before it is written to the
 * archive, a text file at the end of the archive names it.
 */
export async function* downloadEntries(
  { database, storage, now }: DownloadParts,
  files: AsyncIterable<FileSummary[]>,
  omittedLength: number,
): AsyncGenerator<ZipEntry> {
  const deletedNames: string[] = []
  for await (const batch of files) {
    for (const { nr, path } of batch) {
      const name = path.slice(omittedLength)
      const openedFile = await openFile(database, storage, nr)
      if (!openedFile) deletedNames.push(name)
      else
        yield {
          name,
          size: openedFile.object.size,
          changedAt: openedFile.changedAt,
          bytes: bytesOf(openedFile.object),
        }
    }
  }
  if (deletedNames.length > 0) yield deletedFilesNote(deletedNames, now())
}

/**
 * Opens a file; null if its row or its bytes are gone. Tries twice, since an object may be moved between
 * reading its row and opening it.
 */
async function openFile(
  { read: db }: Database,
  storage: Storage,
  nr: number,
): Promise<{ object: StoredObject; changedAt: number } | null> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const row = await db
      .selectFrom('media')
      .select(['object', 'updated_at'])
      .where('nr', '=', nr)
      .executeTakeFirst()
    const object = row && (await storage.open(row.object))
    if (object) return { object, changedAt: row.updated_at }
  }
  return null
}

async function* bytesOf({ body }: StoredObject): AsyncGenerator<Uint8Array> {
  yield* body instanceof Blob ? body.stream() : body
}

function deletedFilesNote(deletedNames: readonly string[], changedAt: number): ZipEntry {
  const lines = ['Diese Dateien wurden gelöscht, während das Archiv entstand:', ...deletedNames, '']
  const textBytes = Buffer.from(lines.join('\r\n'))
  const bytes = (async function* () {
    yield textBytes
  })()
  return { name: MISSING_FILES_NOTE, size: textBytes.length, changedAt, bytes }
}
