/** `POST /api/dash/upload-url`: fetches a file from a public address and stores it. */

import { fileAnswer } from '../../contract/files/library.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { fetchInput } from '../../contract/upload/ingest.ts'
import { digestHeaders } from '../../contract/upload/upload.ts'
import { failure } from '../../errors/errors.ts'
import { announcedDigests } from '../../http/bodies/digests.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import { storedFilesOnWire } from '../library/list/file-on-wire.ts'
import type { FetchUrl } from './fetch-url.ts'

interface FetchUrlRouteParts extends Pick<FeatureParts, 'database' | 'settings'> {
  fetchUrl: FetchUrl
}

export function fetchUrlRoute({ fetchUrl, database, settings }: FetchUrlRouteParts): SessionRoute {
  return sessionRoute('POST', `${DASHBOARD_ROUTE}/upload-url`, {
    role: 'redaktion',
    targets: ({ body }) => ({ otherFolder: body.ordner }),
    summary: 'Eine Datei von einer öffentlichen Adresse holen',
    body: fetchInput,
    handlerInput: { headers: digestHeaders },
    answer: fileAnswer,
    async handle({ body: { url, ordner, name }, request }, { actor }) {
      const digests = announcedDigests(request.headers)
      const task = { url, folder: ordner, name: name || null, digests, actor }
      const storedFile = await fetchUrl(task, request.signal)
      const [file] = await storedFilesOnWire([storedFile], { database, settings })
      // The file was deleted before its row could be read for this answer.
      if (!file) throw failure.fileAbsent()
      return file
    },
  })
}
