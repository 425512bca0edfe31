/**
 * `/api/dash/export`: streams a list of all files, of the files of a folder, of selected files or of all
 * files that a filtered list shows, as JSON, CSV or Lua.
 */
import { z } from 'zod'
import { localDay } from '../../base/local-time.ts'
import type { ExportFormat } from '../../contract/files/choices.ts'
import { exportForm } from '../../contract/files/download.ts'
import { exportFileName, exportFilesQuery, FILE_EXPORT_COLUMNS } from '../../contract/files/export.ts'
import { fileAnswer, PATHS_BODY_LIMIT } from '../../contract/files/library.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { failure } from '../../errors/errors.ts'
import { csvStream } from '../../http/answers/csv.ts'
import { textStream } from '../../http/bodies/streams.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { StreamAnswer } from '../../http/server/answers.ts'
import type { FeatureParts } from '../feature.ts'
import { walkFiles } from '../folders/files-below.ts'
import { keyOf } from '../folders/folder-keys.ts'
import { folderExists } from '../folders/folders.store.ts'
import { createFindChosenFiles, targetsOfChoice } from '../library/change/chosen-files.ts'
import { WIRE_COLUMNS } from '../library/list/file-on-wire.ts'
import { readWireRowsInBatches } from '../library/list/listing.store.ts'
import { type ExportParts, exportCsvRows, exportJson, exportLua } from './export.ts'

const EXPORT_ROUTE = `${DASHBOARD_ROUTE}/export`

type FormatWriter = { type: string; stream(parts: ExportParts): ReadableStream<Uint8Array> }

const FORMAT_WRITERS: Readonly<Record<ExportFormat, FormatWriter>> = {
  json: { type: 'application/json; charset=utf-8', stream: parts => textStream(exportJson(parts)) },
  csv: {
    type: 'text/csv; charset=utf-8',
    stream: parts => csvStream(FILE_EXPORT_COLUMNS, exportCsvRows(parts)),
  },
  lua: { type: 'text/x-lua; charset=utf-8', stream: parts => textStream(exportLua(parts)) },
}

const NON_JSON_ANSWER_TYPES = { 'text/csv': z.string(), 'text/x-lua': z.string() }

type ExportRouteParts = Pick<FeatureParts, 'database' | 'settings' | 'now'>

export function exportRoutes({ database, settings, now }: ExportRouteParts): SessionRoute[] {
  const findChosenFiles = createFindChosenFiles({ database, now })
  const exportAnswer = (format: ExportFormat, files: Omit<ExportParts, 'publicUrl'>) => {
    const { type, stream } = FORMAT_WRITERS[format]
    return new StreamAnswer(stream({ ...files, publicUrl: settings.current().PUBLIC_URL }), {
      headers: {
        'Content-Type': type,
        'Content-Disposition': `attachment; filename="${exportFileName(format, localDay(now()))}"`,
      },
    })
  }
  return [
    sessionRoute('GET', EXPORT_ROUTE, {
      role: 'ansicht',
      targets: ({ query }) => ({ baseFolder: query.folder }),
      summary: 'Alle Dateien, oder die eines Ordners, als JSON, CSV oder Lua-Tabelle (Name → Adresse)',
      query: exportFilesQuery,
      answer: z.array(fileAnswer),
      answerTypes: NON_JSON_ANSWER_TYPES,
      async handle({ query: { format, folder } }, { area }) {
        if (folder !== '' && !(await folderExists(database.read, folder))) throw failure.folderAbsent()
        const rows = walkFiles(database.read, area, WIRE_COLUMNS)
        return exportAnswer(format, { rows, omittedLength: keyOf(folder).length })
      },
    }),
    sessionRoute('POST', EXPORT_ROUTE, {
      role: 'ansicht',
      targets: ({ body }) => targetsOfChoice(body),
      summary: 'Ausgewählte Dateien, oder alles, was eine Liste zeigt, als JSON, CSV oder Lua-Tabelle',
      body: exportForm,
      isForm: true,
      bodyLimit: PATHS_BODY_LIMIT,
      answer: z.array(fileAnswer),
      answerTypes: NON_JSON_ANSWER_TYPES,
      async handle({ body: { format, ...fields } }, { area }) {
        const { numbers, omittedLength } = await findChosenFiles(fields, area)
        return exportAnswer(format, { rows: readWireRowsInBatches(database.read, numbers), omittedLength })
      },
    }),
  ]
}
