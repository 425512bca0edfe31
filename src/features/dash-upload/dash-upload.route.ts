/** `POST /api/dash/upload`. */

import type { Session } from '../../access/callers.ts'
import { type DashUploadAnswer, dashUploadAnswer, uploadForm } from '../../contract/ingest.ts'
import { DASHBOARD_ROUTE } from '../../contract/session.ts'
import type { Database } from '../../database/database.ts'
import { refuseEncoded } from '../../http/content-encoding.ts'
import type { Route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { DashUpload } from './dash-upload.ts'
import { storedOnWire } from './wire.ts'

export interface DashUploadRouteParts {
  upload: DashUpload
  database: Database
  settings: Settings
}

export function dashUploadRoute({ upload, database, settings }: DashUploadRouteParts): Route<Session> {
  return {
    method: 'POST',
    path: `${DASHBOARD_ROUTE}/upload`,
    api: {
      summary: 'Dateien hochladen; ZIP-Archive werden entpackt',
      forms: { 'multipart/form-data': uploadForm },
      answer: dashUploadAnswer,
    },
    async handle(context, { account }) {
      refuseEncoded(context.req.raw)
      const { stored, refused } = await upload.store(context.req.raw, { account: account.name })
      return Response.json({
        gespeichert: await storedOnWire(stored, { database, settings }),
        abgelehnt: refused.map(({ name, why }) => ({ name, grund: why.sentence })),
      } satisfies DashUploadAnswer)
    },
  }
}
