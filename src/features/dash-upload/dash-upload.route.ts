/** `POST /api/dash/upload`: stores the files of the dashboard's upload form. */

import { DASHBOARD_ROUTE } from '../../contract/accounts/session.ts'
import { dashUploadAnswer, uploadForm } from '../../contract/upload/ingest.ts'
import { digestHeaders } from '../../contract/upload/upload.ts'
import type { SignedIn } from '../../http/access/callers.ts'
import { refuseEncoded } from '../../http/bodies/body.ts'
import { type Route, route } from '../../http/routes.ts'
import type { FeatureParts } from '../feature.ts'
import { storedOnWire } from '../library/list/wire.ts'
import type { DashUpload } from './dash-upload.ts'

interface DashUploadRouteParts extends Pick<FeatureParts, 'database' | 'settings'> {
  upload: DashUpload
}

export function dashUploadRoute({ upload, database, settings }: DashUploadRouteParts): Route<SignedIn> {
  return route('POST', `${DASHBOARD_ROUTE}/upload`, {
    summary: 'Dateien hochladen; ZIP-Archive werden entpackt',
    reads: { headers: digestHeaders, forms: { 'multipart/form-data': uploadForm } },
    answer: dashUploadAnswer,
    async handle({ request }, { actor }: SignedIn) {
      refuseEncoded(request)
      const { stored, refused } = await upload(request, actor)
      return {
        gespeichert: await storedOnWire(stored, { database, settings }),
        abgelehnt: refused.map(({ name, why }) => ({ name, grund: why.sentence, code: why.code })),
      }
    },
  })
}
