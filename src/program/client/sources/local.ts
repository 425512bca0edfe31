/** Lists the items of a local import source: the files of a folder or of a ZIP archive. */
import { clientErrors } from '../../../errors/client.ts'
import { Failure, sentencePair } from '../../../errors/failure.ts'
import { type Archive, type ArchiveEntry, openArchive } from '../../../features/zip-upload/archive.ts'
import { isSystemEntry } from '../../../features/zip-upload/clean-entry-name.ts'
import { type FolderLink, listFolder } from '../folder.ts'
import { writeChunks } from '../write-chunks.ts'
import { SourceError } from './addresses.ts'
import type { ImportItem } from './item.ts'

/**
 * Returns the address of a file before the import. `oldBase` is the former base address of all files; if it
 * is unknown, the name of the file takes the place of its address.
 */
const oldAddress = (name: string, oldBase: string | undefined) =>
  oldBase === undefined ? name : `${oldBase.replace(/\/$/, '')}/${encodePath(name)}`

/** `encodeURI` does not encode `?` and `#`; unencoded, they would end the path of the address. */
const encodePath = (name: string) => encodeURI(name).replace(/[?#]/g, encodeURIComponent)

export async function itemsOfFolder(
  folder: string,
  oldBase: string | undefined,
  options: { followLinks: boolean },
): Promise<{ items: ImportItem[]; links: FolderLink[] }> {
  const { files, links } = await listFolder(folder, options)
  const items = files.map(({ name, file, size }) => ({
    from: oldAddress(name, oldBase),
    name,
    size,
    makeLocal: async () => ({ file }),
  }))
  return { items, links }
}

/**
 * The archive belongs to the user, so the limits for untrusted archives do not apply. It stays open until the
 * command ends.
 */
export async function itemsOfArchive(file: string, oldBase: string | undefined): Promise<ImportItem[]> {
  const archive = await openArchive(file, { entries: Infinity, bytes: Infinity }).catch(error => {
    if (!(error instanceof Failure)) throw error
    const [german, english] = sentencePair(error)
    throw new SourceError(withoutFullStop(german), withoutFullStop(english))
  })
  return archive.entries
    .filter(({ kind, name }) => kind !== 'folder' && !isSystemEntry(name))
    .map(entry => ({
      from: oldAddress(entry.name, oldBase),
      name: entry.name,
      size: entry.size,
      makeLocal: scratch => unpackTo(archive, entry, scratch),
    }))
}

async function unpackTo(archive: Archive, entry: ArchiveEntry, file: string): Promise<{ file: string }> {
  try {
    await writeChunks(file, archive.read(entry))
    return { file }
  } catch (error) {
    throw error instanceof Failure ? clientErrors.refused(sentencePair(error)) : error
  }
}

const withoutFullStop = (sentence: string) => sentence.replace(/\.$/, '')
