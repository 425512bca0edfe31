/**
 * `/api/dash/herunterladen`: sends a ZIP of a folder, of selected files, or of all files in a filtered list.
 * The ZIP is written while the client reads it.
 */

import { localDay } from '../../base/local-time.ts'
import { chosenFilesForm, downloadQuery, zipName } from '../../contract/files/download.ts'
import { PATHS_BODY_LIMIT } from '../../contract/files/library.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { nameOf } from '../../contract/paths/path-parts.ts'
import { DOWNLOAD_MAX_FILES } from '../../contract/values/input-limits.ts'
import { failure } from '../../errors/errors.ts'
import { byteStream } from '../../http/bodies/streams.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { StreamAnswer } from '../../http/server/answers.ts'
import { type FileSummary, filesInArea, filesWithNumbers } from '../folders/files-below.ts'
import { countFiles } from '../folders/folders.store.ts'
import { createFindChosenFiles, targetsOfChoice } from '../library/change/chosen-files.ts'
import { type DownloadParts, downloadEntries } from './download.ts'
import { zipArchive } from './zip-writer.ts'

const DOWNLOAD_ROUTE = `${DASHBOARD_ROUTE}/herunterladen`
const ZIP_TYPE = 'application/zip'

export function downloadRoutes(parts: DownloadParts): SessionRoute[] {
  const { database, now } = parts
  const findChosenFiles = createFindChosenFiles(parts)

  const archiveAnswer = (name: string, files: AsyncIterable<FileSummary[]>, omittedLength: number) =>
    new StreamAnswer(byteStream(zipArchive(downloadEntries(parts, files, omittedLength))), {
      headers: {
        'Content-Type': ZIP_TYPE,
        'Content-Disposition': `attachment; filename="${zipName(name, localDay(now()))}"`,
      },
    })

  return [
    sessionRoute('GET', DOWNLOAD_ROUTE, {
      role: 'ansicht',
      targets: ({ query }) => ({ baseFolder: query.ordner }),
      summary: `Ein Ordner mit seinen Unterordnern als ZIP; höchstens ${DOWNLOAD_MAX_FILES} Dateien`,
      query: downloadQuery,
      answerType: ZIP_TYPE,
      async handle({ query: { ordner } }, { area }) {
        const fileCount = await countFiles(database.slowRead, { area })
        if (fileCount === 0) throw failure.folderAbsent()
        if (fileCount > DOWNLOAD_MAX_FILES) throw failure.downloadTooLarge(DOWNLOAD_MAX_FILES)
        // The archive contains the folder itself, not only its content.
        const name = nameOf(ordner)
        return archiveAnswer(name || 'fundus', filesInArea(database.read, area), ordner.length - name.length)
      },
    }),
    sessionRoute('POST', DOWNLOAD_ROUTE, {
      role: 'ansicht',
      targets: ({ body }) => targetsOfChoice(body),
      summary: 'Ausgewählte Dateien, oder alles, was eine Liste zeigt, als ZIP',
      body: chosenFilesForm,
      isForm: true,
      bodyLimit: PATHS_BODY_LIMIT,
      answerType: ZIP_TYPE,
      async handle({ body }, { area }) {
        const { numbers, omittedLength, name } = await findChosenFiles(body, area)
        return archiveAnswer(name, filesWithNumbers(database.read, numbers), omittedLength)
      },
    }),
  ]
}
