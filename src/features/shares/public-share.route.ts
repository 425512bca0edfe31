/** The public route of a share link, `GET, HEAD /s/<key>`: on the files' host, as JSON or as a page. */
import { z } from 'zod'
import { SHARE_ROUTE, sharedFolder } from '../../contract/files/shares.ts'
import { failure } from '../../errors/errors.ts'
import { mayAskForFiles } from '../../http/access/files-host.ts'
import { prefersHtml } from '../../http/answers/accept.ts'
import { preflight, withCors } from '../../http/answers/cors.ts'
import type { RenderError } from '../../http/answers/render.ts'
import { textStream } from '../../http/bodies/streams.ts'
import { pathOf, queryOf } from '../../http/path.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { answerWith } from '../../http/server/sending/answers.ts'
import type { FeatureParts } from '../feature.ts'
import { errorPage } from './error.page.ts'
import { AFTER_PARAMETER, pageHeaders, sharePage } from './share.page.ts'
import { sharedJson, sharedPage } from './shared-files.ts'
import type { ShareRow } from './shares.store.ts'
import type { Shares } from './shares.ts'

const METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Number of files on a page: few enough for a phone to show at once. */
const PAGE_FILES = 200

/** Not for caches, which would keep a revoked link, nor for foreign logs and search engines. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept',
}

/** For the API document: this route is not in the router. */
export const PUBLIC_SHARE_ROUTES = [
  {
    method: 'GET',
    path: `${SHARE_ROUTE}:schluessel`,
    api: {
      summary: 'Die Dateien eines freigegebenen Ordners; mit Accept: text/html als Seite',
      answer: sharedFolder,
      answerTypes: { 'text/html': z.string() },
    },
  },
] as const

/** Null if the request is for another route. */
type ShareRoute = (request: IncomingRequest) => Promise<Response> | null

interface ShareRouteParts extends Pick<FeatureParts, 'database' | 'settings'> {
  shares: Shares
  renderError: RenderError
}

export function shareRoute({ database, shares, settings, renderError }: ShareRouteParts): ShareRoute {
  async function page(request: IncomingRequest, share: ShareRow): Promise<Response> {
    const { PUBLIC_URL, DIENST } = settings.current()
    const after = queryOf(request.url).get(AFTER_PARAMETER) ?? ''
    const view = { folder: share.folder, publicUrl: PUBLIC_URL }
    const files = await sharedPage(database, view, { after, limit: PAGE_FILES })
    const html = sharePage({ folder: share.folder, service: DIENST, page: files, further: after !== '' })
    return new Response(html, { headers: { ...HEADERS, ...pageHeaders(PUBLIC_URL) } })
  }

  function list(request: IncomingRequest, share: ShareRow): Response {
    const view = { folder: share.folder, publicUrl: settings.current().PUBLIC_URL }
    const body = request.method === 'HEAD' ? null : textStream(sharedJson(database, view))
    return answerWith(body, { headers: { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' } })
  }

  /** The same answer for a key that never existed and for a revoked one. */
  function absentAnswer(request: IncomingRequest): Response {
    const error = failure.shareAbsent()
    const answer = renderError(error)
    for (const [name, value] of Object.entries(HEADERS)) answer.headers.set(name, value)
    return prefersHtml(request.headers.get('Accept')) ? errorPage(error, answer, settings.current()) : answer
  }

  async function answer(request: IncomingRequest, key: string): Promise<Response> {
    const { FILES_HOST } = settings.current()
    if (!mayAskForFiles(request, FILES_HOST)) throw failure.routeUnknown()
    if (request.method === 'OPTIONS') return preflight(request, METHODS)
    if (!METHODS.includes(request.method)) throw failure.methodUnknown(METHODS)
    const share = await shares.find(key)
    if (!share) return absentAnswer(request)
    return prefersHtml(request.headers.get('Accept')) ? page(request, share) : list(request, share)
  }

  return request => {
    const path = pathOf(request.url)
    if (!path.startsWith(SHARE_ROUTE)) return null
    return answer(request, path.slice(SHARE_ROUTE.length)).catch(renderError).then(withCors)
  }
}
