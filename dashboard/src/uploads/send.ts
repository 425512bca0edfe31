/** Sends one file to its place. By XMLHttpRequest, since only that tells how much has gone out. */
import type { DashUploadAnswer } from '../../../src/contract/ingest.ts'
import type { FileAnswer } from '../../../src/contract/library.ts'
import { splitPath } from '../../../src/contract/paths.ts'
import { addressOf, post } from '../api/client.ts'
import { ApiError, ConnectionError, errorFrom } from '../api/error.ts'
import { markLost, markOnline } from '../live/connection.ts'
import type { Job } from './plan.ts'

export interface SendOptions {
  signal: AbortSignal
  /** Bytes that have gone out, what the form adds included. */
  onProgress(sent: number): void
}

export async function sendJob(job: Job, options: SendOptions): Promise<DashUploadAnswer> {
  const answer = await sendFile(job, options)
  const [stored] = answer.gespeichert
  if (job.via === undefined || !stored) return answer
  return { ...answer, gespeichert: [await withCapitals(stored, job.target)] }
}

function sendFile({ file, target, via, overwrite }: Job, options: SendOptions): Promise<DashUploadAnswer> {
  const { signal, onProgress } = options
  const form = new FormData()
  form.append('ueberschreiben', String(overwrite))
  // The path in a list of its own: of the form's file name a browser keeps only the last part.
  form.append('pfade', JSON.stringify([via ?? target]))
  form.append('file', file, file.name)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', addressOf('upload'))
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      markOnline()
      const { status, responseText } = request
      if (status === 200) return resolve(JSON.parse(responseText) as DashUploadAnswer)
      errorFrom(new Response(responseText, { status })).then(reject)
    })
    request.addEventListener('error', () => reject(new ConnectionError('The upload broke off.')))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

/** Uploads are stored in small letters; a rename keeps what is given. */
async function withCapitals(stored: FileAnswer, target: string): Promise<FileAnswer> {
  const { folder } = splitPath(target)
  const name = target.slice(target.lastIndexOf('/') + 1)
  let path = stored.path
  if (splitPath(path).folder !== folder) {
    const { verschoben, abgelehnt } = await post('media/verschieben', {
      body: { pfade: [path], ordner: folder },
    })
    const [refused] = abgelehnt
    if (refused) throw new ApiError(409, refused.grund, null, null)
    path = verschoben[0]?.nach ?? path
  }
  const { url, path: final } = await post('media/umbenennen', { body: { pfad: path, name } })
  return { ...stored, path: final, url }
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
