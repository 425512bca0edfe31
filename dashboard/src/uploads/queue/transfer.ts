/** Sends one request of an upload by XMLHttpRequest, because `fetch` does not report upload progress. */
import { markConnected } from '../../api/connection.ts'
import { ConnectionError } from '../../api/error.ts'

export interface SendOptions {
  signal: AbortSignal
  /** Called with the number of bytes sent, including the form around the file if there is one. */
  onProgress(sentBytes: number): void
}

export interface TransferRequest {
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  body?: FormData | Blob
}

/**
 * Resolves with any answer, whatever its status. Rejects if there is none, or if `signal` aborts before it.
 */
export function transfer(
  { method, url, headers = {}, body }: TransferRequest,
  { signal, onProgress }: SendOptions,
): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const rejectAborted = () => reject(new DOMException('Cancelled.', 'AbortError'))
    if (signal.aborted) return rejectAborted()
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (body) request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      markConnected()
      resolve(request)
    })
    request.addEventListener('error', () => reject(new ConnectionError('The upload broke off.')))
    request.addEventListener('abort', rejectAborted)
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    request.send(body ?? null)
  })
}
