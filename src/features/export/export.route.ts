/**
 * `GET /api/dash/export`: the library, or one folder of it, as a file. The file is produced while the client reads it,
 * so its size does not matter.
 */
import { z } from 'zod'
import type { SignedIn } from '../../access/callers.ts'
import { type ExportFormat, exportFilesQuery, exportName, FILE_COLUMNS } from '../../contract/export.ts'
import { fileAnswer } from '../../contract/library.ts'
import { DASHBOARD_ROUTE } from '../../contract/session.ts'
import { failure } from '../../errors.ts'
import type { FeatureParts } from '../../feature.ts'
import { csvStream } from '../../http/csv.ts'
import { type Route, route } from '../../http/routes.ts'
import { textStream } from '../../http/text-stream.ts'
import { localDay } from '../../local-time.ts'
import { folderExists } from '../folders/folders.store.ts'
import { type ExportParts, exportJson, exportLua, exportRows } from './export.ts'

type Form = { type: string; stream(parts: ExportParts): ReadableStream<Uint8Array> }

const FORMS: Readonly<Record<ExportFormat, Form>> = {
  json: { type: 'application/json; charset=utf-8', stream: parts => textStream(exportJson(parts)) },
  csv: { type: 'text/csv; charset=utf-8', stream: parts => csvStream(FILE_COLUMNS, exportRows(parts)) },
  lua: { type: 'text/x-lua; charset=utf-8', stream: parts => textStream(exportLua(parts)) },
}

type Parts = Pick<FeatureParts, 'database' | 'settings' | 'now'>

export function exportRoute({ database, settings, now }: Parts): Route<SignedIn> {
  return route('GET', `${DASHBOARD_ROUTE}/export`, {
    summary: 'Alle Dateien, oder die eines Ordners, als JSON, CSV oder Lua-Tabelle (Name → Adresse)',
    query: exportFilesQuery,
    answer: z.array(fileAnswer),
    async handle({ query: { format, folder } }) {
      if (folder !== '' && !(await folderExists(database.read, folder))) throw failure.folderAbsent()
      const { type, stream } = FORMS[format]
      return new Response(stream({ database, folder, publicUrl: settings.current().PUBLIC_URL }), {
        headers: {
          'Content-Type': type,
          'Content-Disposition': `attachment; filename="${exportName(format, localDay(now()))}"`,
        },
      })
    },
  })
}
