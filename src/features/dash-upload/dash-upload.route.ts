/** `POST /api/dash/upload`: stores the files of the dashboard's upload form. */

import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { dashUploadAnswer, uploadForm } from '../../contract/upload/ingest.ts'
import { digestHeaders } from '../../contract/upload/upload.ts'
import { refuseEncodedBody } from '../../http/bodies/content-encoding.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import { storedFilesOnWire } from '../library/list/file-on-wire.ts'
import type { DashUpload } from './dash-upload.ts'

interface DashUploadRouteParts extends Pick<FeatureParts, 'database' | 'settings'> {
  upload: DashUpload
}

export function dashUploadRoute({ upload, database, settings }: DashUploadRouteParts): SessionRoute {
  return sessionRoute('POST', `${DASHBOARD_ROUTE}/upload`, {
    role: 'redaktion',
    targets: 'nothing',
    summary: 'Dateien hochladen; ZIP-Archive werden entpackt',
    handlerInput: { headers: digestHeaders, forms: { 'multipart/form-data': uploadForm } },
    answer: dashUploadAnswer,
    async handle({ request }, { actor, allowedArea }) {
      refuseEncodedBody(request)
      const { storedFiles, refusedFiles } = await upload(request, actor, allowedArea)
      return {
        gespeichert: await storedFilesOnWire(storedFiles, { database, settings }),
        abgelehnt: refusedFiles.map(({ name, reason }) => ({
          name,
          grund: reason.sentence,
          code: reason.code,
        })),
      }
    },
  })
}
