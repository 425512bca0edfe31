/** `/api/dash/herunterladen`: a folder, or a selection of files, as a ZIP that is written while the client takes it. */
import type { SignedIn } from '../../access/callers.ts'
import { archiveName, downloadForm, downloadQuery } from '../../contract/download.ts'
import { PATHS_BODY_LIMIT } from '../../contract/library.ts'
import { DOWNLOAD_MAX_FILES } from '../../contract/limits.ts'
import { nameOf } from '../../contract/paths.ts'
import { DASHBOARD_ROUTE } from '../../contract/session.ts'
import { failure } from '../../errors.ts'
import { byteStream } from '../../http/byte-stream.ts'
import { checked } from '../../http/json.ts'
import { isMultipart, readForm } from '../../http/multipart.ts'
import { type Route, route } from '../../http/routes.ts'
import { localDay } from '../../local-time.ts'
import { createPace } from '../../pace.ts'
import { rangeOf, takenPaths } from '../folders/files-below.ts'
import { keyOf } from '../folders/folder-keys.ts'
import { countFiles } from '../folders/folders.store.ts'
import { type Chosen, type DownloadParts, downloadEntries } from './download.ts'
import { zipArchive } from './zip-writer.ts'

const PATH = `${DASHBOARD_ROUTE}/herunterladen`
const TYPE = 'application/zip'

export function downloadRoutes(parts: DownloadParts): Route<SignedIn>[] {
  const { database, now } = parts

  const archive = (name: string, chosen: Chosen, base: number) =>
    new Response(byteStream(zipArchive(downloadEntries(parts, chosen, base))), {
      headers: {
        'Content-Type': TYPE,
        'Content-Disposition': `attachment; filename="${archiveName(name, localDay(now()))}"`,
      },
    })

  return [
    route('GET', PATH, {
      summary: `Ein Ordner mit seinen Unterordnern als ZIP; höchstens ${DOWNLOAD_MAX_FILES} Dateien`,
      query: downloadQuery,
      answerType: TYPE,
      async handle({ query: { ordner } }) {
        const folder = keyOf(ordner)
        const files = await countFiles(database.browse, { folder, deep: true })
        if (files === 0) throw failure.folderAbsent()
        if (files > DOWNLOAD_MAX_FILES) throw failure.downloadTooLarge(DOWNLOAD_MAX_FILES)
        // The archive holds the folder itself, not only what is in it.
        const name = nameOf(ordner)
        return archive(name || 'fundus', rangeOf(folder), ordner.length - name.length)
      },
    }),
    route('POST', PATH, {
      summary: 'Ausgewählte Dateien als ZIP',
      reads: { forms: { 'multipart/form-data': downloadForm } },
      answerType: TYPE,
      async handle({ request }) {
        const { pfade } = checked(downloadForm, await fieldsOf(request))
        const present = [...(await takenPaths(database.browse, pfade, createPace()))]
        if (present.length === 0) throw failure.fileAbsent()
        return archive('auswahl', present, commonFolder(present))
      },
    }),
  ]
}

async function fieldsOf(request: Request): Promise<Record<string, string>> {
  if (!isMultipart(request)) throw failure.fileFieldMissing('pfade')
  const nothing = { wants: () => false, receive: async () => {} }
  const limits = { parts: 10, fieldSize: PATHS_BODY_LIMIT }
  return Object.fromEntries(await readForm(request, nothing, { limits }))
}

/** Characters up to and including the last `/` that all paths have in common. */
function commonFolder(paths: readonly string[]): number {
  const [first = '', ...others] = paths
  let length = first.lastIndexOf('/') + 1
  for (const path of others) {
    while (!path.startsWith(first.slice(0, length))) length = first.lastIndexOf('/', length - 2) + 1
  }
  return length
}
