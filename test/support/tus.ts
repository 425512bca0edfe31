/** Calls of the tus protocol, by address. */
import type { Body, HeaderMap } from './api.ts'
import type { Service } from './service.ts'

export const TUS: HeaderMap = { 'Tus-Resumable': '1.0.0' }

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The headers that create an upload. */
export const creation = (length: number, metadata: HeaderMap = {}): HeaderMap => ({
  ...TUS,
  'Upload-Length': String(length),
  ...(Object.keys(metadata).length > 0 && {
    'Upload-Metadata': Object.entries(metadata)
      .map(([name, value]) => `${name} ${base64(value)}`)
      .join(','),
  }),
})

/** The headers of a piece. */
export const pieceAt = (offset: number): HeaderMap => ({
  ...TUS,
  'Upload-Offset': String(offset),
  'Content-Type': 'application/offset+octet-stream',
})

export const bearer = (token: string): HeaderMap => ({ Authorization: `Bearer ${token}` })

export const createUpload = (
  service: Pick<Service, 'url'>,
  caller: HeaderMap,
  headers: HeaderMap,
  base = '/api/tus',
  body?: Body,
): Promise<Response> =>
  fetch(`${service.url}${base}`, {
    method: 'POST',
    headers: { ...headers, ...caller },
    ...(body !== undefined && { body }),
  })

/** Any request about one upload, whose address is `location`. */
export const askUpload = (
  service: Pick<Service, 'url'>,
  method: string,
  location: string,
  headers: HeaderMap,
  body?: Body | Blob,
): Promise<Response> =>
  fetch(new URL(location, service.url), { method, headers, ...(body !== undefined && { body }) })

/** The offset that the service returns. */
export async function offsetOf(
  service: Pick<Service, 'url'>,
  location: string,
  caller: HeaderMap,
): Promise<number> {
  const answer = await askUpload(service, 'HEAD', location, { ...TUS, ...caller })
  if (answer.status !== 200) throw new Error(`HEAD ${location}: ${answer.status}`)
  return Number(answer.headers.get('upload-offset'))
}
