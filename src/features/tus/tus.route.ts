/**
 * The routes of the tus protocol. They are the same for uploads with a token, with a ticket and in the
 * dashboard.
 */

import { fileAddress } from '../../contract/paths/addresses.ts'
import { STORED_ADDRESS_HEADER, STORED_PATH_HEADER } from '../../contract/upload/headers.ts'
import {
  tusCreationHeaders,
  tusHeaders,
  tusOverrideHeaders,
  tusPieceForms,
  tusPieceHeaders,
} from '../../contract/upload/tus.ts'
import { trimTrailing } from '../../contract/values/text.ts'
import { failure } from '../../errors/errors.ts'
import { announcedLength } from '../../http/bodies/body.ts'
import { refuseEncodedBody } from '../../http/bodies/content-encoding.ts'
import { type Route, route } from '../../http/routes.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { pathOf } from '../../http/url-parts.ts'
import type { Settings } from '../settings/settings.ts'
import {
  announcedChecksum,
  announcedOffset,
  checkVersion,
  hasPieceType,
  requirePieceType,
} from './headers.ts'
import type { PartialUploadRow } from './tus.store.ts'
import { type EntryPoint, offsetOf, type Tus } from './tus.ts'

interface TusRouteParts {
  tus: Tus
  settings: Settings
}

const NO_CONTENT_ANSWER = { 204: null }

export function tusRoutes<Caller>(
  { tus, settings }: TusRouteParts,
  basePath: string,
  entryPoint: EntryPoint<Caller>,
): Route<Caller>[] {
  function stateHeaders(row: PartialUploadRow): Record<string, string> {
    const isStored = row.finished === 1 && row.path !== null
    return {
      'Upload-Offset': String(offsetOf(row)),
      'Upload-Expires': new Date(row.expires_at).toUTCString(),
      ...(isStored && {
        [STORED_PATH_HEADER]: row.path!,
        [STORED_ADDRESS_HEADER]: fileAddress(settings.current().PUBLIC_URL, row.path!),
      }),
    }
  }

  async function create(request: IncomingRequest, caller: Caller): Promise<Response> {
    checkVersion(request)
    refuseEncodedBody(request)
    const carriesBytes = hasPieceType(request.headers) && announcedLength(request) !== 0
    const checksum = announcedChecksum(request.headers)
    const id = await tus.create(entryPoint, caller, request)
    const row = carriesBytes
      ? await tus.receive(entryPoint, caller, id, { request, offset: 0, checksum })
      : await tus.find(entryPoint, caller, id)
    const headers = { ...stateHeaders(row), Location: `${trimTrailing(pathOf(request.url), '/')}/${id}` }
    return new Response(null, { status: 201, headers })
  }

  async function describe(request: IncomingRequest, caller: Caller, id: string): Promise<Response> {
    checkVersion(request)
    const row = await tus.readState(entryPoint, caller, id)
    const metadata = row.metadata === '' ? {} : { 'Upload-Metadata': row.metadata }
    const headers = { ...stateHeaders(row), 'Upload-Length': String(row.length), ...metadata }
    return new Response(null, { status: 200, headers: { ...headers, 'Cache-Control': 'no-store' } })
  }

  async function add(request: IncomingRequest, caller: Caller, id: string): Promise<Response> {
    checkVersion(request)
    requirePieceType(request.headers)
    refuseEncodedBody(request)
    const piece = { offset: announcedOffset(request.headers), checksum: announcedChecksum(request.headers) }
    const row = await tus.receive(entryPoint, caller, id, { request, ...piece })
    return new Response(null, { status: 204, headers: stateHeaders(row) })
  }

  async function remove(request: IncomingRequest, caller: Caller, id: string): Promise<Response> {
    checkVersion(request)
    await tus.remove(entryPoint, caller, id)
    return new Response(null, { status: 204 })
  }

  const handlersByMethod = new Map([
    ['PATCH', add],
    ['HEAD', describe],
    ['DELETE', remove],
  ])

  return [
    route('POST', basePath, {
      summary: 'Beginnt einen fortsetzbaren Upload (tus 1.0.0), auf Wunsch mit dem ersten Stück',
      handlerInput: { headers: tusCreationHeaders, forms: tusPieceForms },
      answers: { 201: null },
      handle: ({ request }, caller: Caller) => create(request, caller),
    }),
    route('GET', `${basePath}/:id`, {
      summary: 'Wie weit ein Upload ist (HEAD)',
      handlerInput: { headers: tusHeaders },
      answers: { 200: null },
      handle: ({ request, param }, caller: Caller) => describe(request, caller, param('id')),
    }),
    route('PATCH', `${basePath}/:id`, {
      summary: 'Das nächste Stück; nach dem letzten ist die Datei gespeichert',
      handlerInput: { headers: tusPieceHeaders, forms: tusPieceForms },
      answers: NO_CONTENT_ANSWER,
      handle: ({ request, param }, caller: Caller) => add(request, caller, param('id')),
    }),
    route('DELETE', `${basePath}/:id`, {
      summary: 'Bricht einen Upload ab; eine gespeicherte Datei bleibt',
      handlerInput: { headers: tusHeaders },
      answers: NO_CONTENT_ANSWER,
      handle: ({ request, param }, caller: Caller) => remove(request, caller, param('id')),
    }),
    route('POST', `${basePath}/:id`, {
      summary: 'Dasselbe, wo nur POST möglich ist',
      handlerInput: { headers: tusOverrideHeaders, forms: tusPieceForms },
      answers: { 200: null, ...NO_CONTENT_ANSWER },
      handle({ request, param }, caller: Caller) {
        const handler = handlersByMethod.get(
          request.headers.get('X-HTTP-Method-Override')?.trim().toUpperCase() ?? '',
        )
        if (!handler) throw failure.methodUnknown(['GET', 'HEAD', 'PATCH', 'DELETE'])
        return handler(request, caller, param('id'))
      },
    }),
  ]
}
