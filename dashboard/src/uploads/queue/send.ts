/** Uploads one file. By XMLHttpRequest, since only that reports upload progress. */
import type { DashUploadAnswer } from '../../../../src/contract/upload/ingest.ts'
import { addressOf, NEVER } from '../../api/client.ts'
import { markOnline } from '../../api/connection.ts'
import { ConnectionError, errorOf } from '../../api/error.ts'
import { isOwn } from '../../state/session.ts'
import type { Job } from '../plan/plan.ts'

export interface SendOptions {
  signal: AbortSignal
  /** Bytes sent, including the form around the file. */
  onProgress(sent: number): void
}

export async function sendJob(job: Job, options: SendOptions): Promise<DashUploadAnswer> {
  if (!isOwn()) return NEVER
  const request = await transfer(formOf(job), options)
  const body = parseJson(request.responseText)
  if (request.status !== 200)
    throw errorOf(request.status, { get: name => request.getResponseHeader(name) }, body)
  // A proxy's or captive portal's page, with a success status.
  if (!isAnswer(body)) throw new ConnectionError('The answer is not that of the service.')
  return body
}

function formOf({ file, target, overwrite, archive, action }: Job): FormData {
  const form = new FormData()
  form.append('ueberschreiben', String(overwrite))
  form.append('aktion', action)
  if (archive) form.append('namen_anpassen', 'true')
  // The path is in a separate list, because a browser keeps only the last part of a file name in a form.
  form.append('pfade', JSON.stringify([target]))
  // By this name the service tells an archive to unpack.
  form.append('file', file, archive ? file.name : 'file')
  return form
}

/** Resolves with any answer. */
function transfer(form: FormData, { signal, onProgress }: SendOptions): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', addressOf('upload'))
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      markOnline()
      resolve(request)
    })
    request.addEventListener('error', () => reject(new ConnectionError('The upload broke off.')))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isAnswer = (body: unknown): body is DashUploadAnswer =>
  typeof body === 'object' && body !== null && 'gespeichert' in body && 'abgelehnt' in body

/** A file may have been moved or changed since it was chosen. */
export async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}
