/** Uploads one file: in pieces if it is large and not an archive, otherwise in a form. */

import type { DashUploadAnswer } from '../../../../src/contract/upload/ingest.ts'
import { parseJson } from '../../../../src/contract/values/parse-json.ts'
import { addressOf, get, NEVER_SETTLING_PROMISE } from '../../api/client.ts'
import { ConnectionError, errorOfAnswer } from '../../api/error.ts'
import { ensureOwnSession } from '../../state/session.ts'
import type { UploadJob } from '../plan/plan.ts'
import { MAX_FORM_FILE_BYTES, sendInPieces } from './send-in-pieces.ts'
import { type SendOptions, transfer } from './transfer.ts'

export async function sendJob(job: UploadJob, options: SendOptions): Promise<DashUploadAnswer> {
  if (!ensureOwnSession()) return NEVER_SETTLING_PROMISE
  if (!job.isZipArchive && job.file.size > MAX_FORM_FILE_BYTES) {
    const path = await sendInPieces(job, options)
    return { gespeichert: [await get(`media/${path}`)], abgelehnt: [] }
  }
  const transferRequest = { method: 'POST', url: addressOf('upload'), body: formOf(job) }
  const request = await transfer(transferRequest, options)
  const body = parseJson(request.responseText)
  if (request.status !== 200)
    throw errorOfAnswer(request.status, { get: name => request.getResponseHeader(name) }, body)
  // A success answer in another format comes from a proxy or a captive portal.
  if (!isUploadAnswer(body)) throw new ConnectionError('The answer is not that of the service.')
  return body
}

function formOf({ file, target, overwrite, isZipArchive, action }: UploadJob): FormData {
  const form = new FormData()
  form.append('ueberschreiben', String(overwrite))
  form.append('aktion', action)
  if (isZipArchive) form.append('namen_anpassen', 'true')
  // The path is sent in a separate list, because the folders in the file name of a form may be stripped on
  // the way.
  form.append('pfade', JSON.stringify([target]))
  // The service unpacks a file whose name has the extension of an archive.
  form.append('file', file, isZipArchive ? file.name : 'file')
  return form
}

const isUploadAnswer = (body: unknown): body is DashUploadAnswer =>
  typeof body === 'object' && body !== null && 'gespeichert' in body && 'abgelehnt' in body

/** Whether the file can still be read: it may have been moved or changed since it was chosen. */
export async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}
