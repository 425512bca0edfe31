/** Lists the files of a shared folder, each with the few fields that everybody may see. */

import type { SharedFile } from '../../contract/files/shares.ts'
import { fileAddress, previewAddress } from '../../contract/paths/addresses.ts'
import type { Database } from '../../database/database.ts'
import { everythingBelow } from '../../http/access/library-area.ts'
import { pathRangeOf, readFilePage, walkFiles } from '../folders/files-below.ts'
import type { MediaRow } from '../media/media.store.ts'

const FILE_COLUMNS = ['path', 'size', 'kind', 'duration', 'preview_size'] as const
type SharedFileRow = Pick<MediaRow, (typeof FILE_COLUMNS)[number]>

interface ShareView {
  /** The names of files are relative to this folder. */
  folder: string
  publicUrl: string
}

function fileOnWire({ folder, publicUrl }: ShareView, row: SharedFileRow): SharedFile {
  return {
    name: row.path.slice(folder.length + 1),
    size: row.size,
    art: row.kind,
    url: fileAddress(publicUrl, row.path),
    laenge: row.duration,
  }
}

/** The list of all files as JSON text, in chunks. */
export async function* sharedFilesJson(database: Database, view: ShareView): AsyncGenerator<string> {
  yield `{"ordner":${JSON.stringify(view.folder)},"dateien":[`
  let separator = ''
  for await (const row of walkFiles(database.read, everythingBelow(view.folder), FILE_COLUMNS)) {
    yield separator + JSON.stringify(fileOnWire(view, row))
    separator = ','
  }
  yield ']}'
}

export interface PagedFile extends SharedFile {
  preview: string | null
}

export interface SharedFilesPage {
  files: PagedFile[]
  hasMore: boolean
}

/** Lists at most `limit` files whose name follows `after`. */
export async function listSharedFiles(
  database: Database,
  view: ShareView,
  { after: afterName, limit }: { after: string; limit: number },
): Promise<SharedFilesPage> {
  const folderKey = `${view.folder}/`
  const range = { ...pathRangeOf(folderKey), after: folderKey + afterName }
  const rows = await readFilePage(database.read, range, { columns: FILE_COLUMNS, limit: limit + 1 })
  const files = rows.slice(0, limit).map(row => ({
    ...fileOnWire(view, row),
    preview: row.preview_size === null ? null : previewAddress(view.publicUrl, row.path),
  }))
  return { files, hasMore: rows.length > limit }
}
