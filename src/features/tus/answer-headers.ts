/**
 * Headers of the tus protocol. All answers of the tus routes, errors included, get `Tus-Resumable`. Answers
 * to OPTIONS also get the capabilities of the server. If pages of other sites may read the answer, the tus
 * headers are added to those that they may read.
 */

import { STORED_ADDRESS_HEADER, STORED_PATH_HEADER } from '../../contract/upload/headers.ts'
import {
  DASHBOARD_TUS_ROUTE,
  TICKET_TUS_ROUTE,
  TUS_CHECKSUM_ALGORITHMS,
  TUS_EXTENSIONS,
  TUS_ROUTE,
  TUS_VERSION,
} from '../../contract/upload/tus-wire.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { pathOf } from '../../http/url-parts.ts'
import type { Settings } from '../settings/settings.ts'
import { uploadLimit } from '../upload/size-limit.ts'

const ROUTE_SEGMENTS = [TUS_ROUTE, DASHBOARD_TUS_ROUTE, TICKET_TUS_ROUTE].map(route => route.split('/'))

/** Whether the path is a tus route or below one. A route parameter (`:…`) matches any segment. */
export function isTusRequest({ url }: IncomingRequest): boolean {
  const segments = pathOf(url).split('/')
  return ROUTE_SEGMENTS.some(route =>
    route.every((segment, index) => segment.startsWith(':') || segment === segments[index]),
  )
}

const EXPOSED_HEADERS = [
  'Location',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Expires',
  'Upload-Metadata',
  STORED_PATH_HEADER,
  STORED_ADDRESS_HEADER,
].join(', ')

const EXPOSE_HEADER = 'Access-Control-Expose-Headers'

export function addTusHeaders(request: IncomingRequest, answer: Response, settings: Settings) {
  const { headers } = answer
  headers.set('Tus-Resumable', TUS_VERSION)
  const exposedHeaders = headers.get(EXPOSE_HEADER)
  if (exposedHeaders !== null) headers.set(EXPOSE_HEADER, `${exposedHeaders}, ${EXPOSED_HEADERS}`)
  if (request.method === 'OPTIONS') {
    headers.set('Tus-Version', TUS_VERSION)
    headers.set('Tus-Extension', TUS_EXTENSIONS)
    headers.set('Tus-Max-Size', String(uploadLimit(settings).bytes))
    headers.set('Tus-Checksum-Algorithm', TUS_CHECKSUM_ALGORITHMS.join(','))
  }
  return answer
}
