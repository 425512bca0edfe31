/** Sends files to a folder in one request. By XMLHttpRequest, since only that tells how much has gone out. */
import type { DashUploadAnswer } from '../../../src/contract/ingest.ts'
import { addressOf } from '../api/client.ts'
import { ConnectionError, errorFrom } from '../api/error.ts'
import { markLost, markOnline } from '../live/connection.ts'
import type { UploadProgress } from './store.ts'

export interface SendOptions {
  folder: string
  overwrite?: boolean
  onProgress?(progress: UploadProgress): void
  signal?: AbortSignal
}

export function sendFiles(files: readonly File[], options: SendOptions): Promise<DashUploadAnswer> {
  const { folder, overwrite = false, onProgress, signal } = options
  const form = new FormData()
  form.append('ordner', folder)
  form.append('ueberschreiben', String(overwrite))
  for (const file of files) form.append('file', file, file.name)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', addressOf('upload'))
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.({ done: loaded, total }))
    request.addEventListener('load', () => {
      markOnline()
      const { status, responseText } = request
      if (status === 200) return resolve(JSON.parse(responseText) as DashUploadAnswer)
      errorFrom(new Response(responseText, { status })).then(reject)
    })
    request.addEventListener('error', () => {
      markLost()
      reject(new ConnectionError('The upload broke off.'))
    })
    request.addEventListener('abort', () =>
      reject(new DOMException('The upload was cancelled.', 'AbortError')),
    )
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
