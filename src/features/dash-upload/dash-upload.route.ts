/** `POST /api/dash/upload`: stores the files of the dashboard's upload form. */

import { DASHBOARD_ROUTE } from '../../contract/accounts/session.ts'
import { dashUploadAnswer, uploadForm } from '../../contract/upload/ingest.ts'
import { digestHeaders } from '../../contract/upload/upload.ts'
import { refuseEncoded } from '../../http/bodies/body.ts'
import { type SessionRoute, sessionRoute } from '../../http/session-route.ts'
import type { FeatureParts } from '../feature.ts'
import { storedOnWire } from '../library/list/wire.ts'
import type { DashUpload } from './dash-upload.ts'

interface DashUploadRouteParts extends Pick<FeatureParts, 'database' | 'settings'> {
  upload: DashUpload
}

export function dashUploadRoute({ upload, database, settings }: DashUploadRouteParts): SessionRoute {
  return sessionRoute('POST', `${DASHBOARD_ROUTE}/upload`, {
    role: 'redaktion',
    names: 'nothing',
    summary: 'Dateien hochladen; ZIP-Archive werden entpackt',
    reads: { headers: digestHeaders, forms: { 'multipart/form-data': uploadForm } },
    answer: dashUploadAnswer,
    async handle({ request }, { actor, reach }) {
      refuseEncoded(request)
      const { stored, refused } = await upload(request, actor, reach)
      return {
        gespeichert: await storedOnWire(stored, { database, settings }),
        abgelehnt: refused.map(({ name, why }) => ({ name, grund: why.sentence, code: why.code })),
      }
    },
  })
}
