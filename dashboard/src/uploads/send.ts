/** Sends one file to its place. By XMLHttpRequest, since only that tells how much has gone out. */
import type { DashUploadAnswer } from '../../../src/contract/ingest.ts'
import { addressOf } from '../api/client.ts'
import { CODE_HEADER, ConnectionError, errorFrom } from '../api/error.ts'
import { markLost, markOnline } from '../live/connection.ts'
import type { Job } from './plan.ts'

export interface SendOptions {
  signal: AbortSignal
  /** Bytes that have gone out, what the form adds included. */
  onProgress(sent: number): void
}

export function sendJob(
  { file, target, overwrite, archive, action }: Job,
  options: SendOptions,
): Promise<DashUploadAnswer> {
  const { signal, onProgress } = options
  const form = new FormData()
  form.append('ueberschreiben', String(overwrite))
  form.append('aktion', action)
  if (archive) form.append('namen_anpassen', 'true')
  // The path in a list of its own: of the form's file name a browser keeps only the last part.
  form.append('pfade', JSON.stringify([target]))
  form.append('file', file, file.name)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', addressOf('upload'))
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      markOnline()
      const { status, responseText } = request
      if (status === 200) return resolve(JSON.parse(responseText) as DashUploadAnswer)
      const headers = { [CODE_HEADER]: request.getResponseHeader(CODE_HEADER) ?? '' }
      errorFrom(new Response(responseText, { status, headers })).then(reject)
    })
    request.addEventListener('error', () => reject(new ConnectionError('The upload broke off.')))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

/** Whether a file can still be read: it may have been moved or changed since it was chosen. */
export async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}

/** Asks the service for a sign of life. */
export async function isReachable(): Promise<boolean> {
  const reached = await fetch('/health').then(
    response => response.ok,
    () => false,
  )
  if (reached) markOnline()
  else markLost()
  return reached
}
