/** The routes of stored content, `/f/`, `/t/` and `/b/`, which bypass the router. */
import { z } from 'zod'
import { FILES_ROUTE, PICTURE_SIZES_ROUTE } from '../../contract/paths/addresses.ts'
import { fileHeaders } from '../../contract/upload/upload.ts'
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import { mayAccessFiles } from '../../http/access/files-host.ts'
import { answerPreflight, withCors } from '../../http/answers/cors.ts'
import type { RenderError } from '../../http/answers/render-error.ts'
import type { BodilessRequest } from '../../http/bodiless-request.ts'
import type { Answer } from '../../http/server/answers.ts'
import type { PeerRequest } from '../../http/server/http-server.ts'
import { pathOf } from '../../http/url-parts.ts'
import { DERIVED_ROUTES } from '../../storage/derived-parts.ts'
import type { ContentTally } from '../metrics/tally.ts'
import type { Settings } from '../settings/settings.ts'
import type { Serve } from './serve.ts'

const CONTENT_METHODS = ['GET', 'HEAD', 'OPTIONS']

export const contentAnswers = (type: string) => ({ 206: { [type]: z.string() }, 304: null })

const contentRoute = (route: string, summary: string, answerType: string) => ({
  method: 'GET' as const,
  path: `${route}:pfad{.+}`,
  api: { summary, headers: fileHeaders, answerType, answers: contentAnswers(answerType) },
})

/** Descriptions for the API document: these routes are not in the router. */
export const CONTENT_ROUTES = [
  contentRoute(FILES_ROUTE, 'Liefert eine Datei aus', '*/*'),
  ...DERIVED_ROUTES.map(({ route }) =>
    contentRoute(route, 'Liefert die Vorschau einer Datei aus: ihr Pfad mit angehängtem .webp', 'image/webp'),
  ),
  contentRoute(
    `${PICTURE_SIZES_ROUTE}:groesse/`,
    'Liefert ein Bild oder das Vorschaubild eines Films in einer Größe aus BILDGROESSEN aus',
    'image/*',
  ),
]

/** Answers a request; null if it is for another route. */
export type ServeRoute = (request: PeerRequest) => Answer | Promise<Answer> | null

type SendContent = (request: PeerRequest, path: string) => Answer | Promise<Answer>

export function serveRoute(parts: {
  database: Pick<Database, 'currentState'>
  serve: Serve
  settings: Settings
  tally: { files: ContentTally; previews: ContentTally; sizes: ContentTally }
  renderError: RenderError
}): ServeRoute {
  const { database, serve, settings, tally, renderError } = parts
  const derivedRoutes = DERIVED_ROUTES.map(({ part, route }) => ({ route, send: serve.sendDerived(part) }))

  function failureResponse(error: unknown, request: BodilessRequest, contentTally: ContentTally): Response {
    const response = renderError(error, request)
    if (response.status < 500) contentTally.refused++
    else contentTally.failed++
    // Errors vary by `Accept` too: this header decides which object the client gets, and so whether a range
    // is within that object.
    response.headers.set('Vary', 'Accept')
    return withCors(response)
  }

  function answer(
    request: PeerRequest,
    send: SendContent,
    path: string,
    contentTally: ContentTally,
  ): Answer | Promise<Answer> {
    try {
      // Without `await`: if the database answers synchronously, so does this route.
      const databaseState = database.currentState()
      const response =
        databaseState instanceof Promise
          ? databaseState.then(() => answerWithCurrentState(request, send, path))
          : answerWithCurrentState(request, send, path)
      return response instanceof Promise
        ? response.catch(error => failureResponse(error, request, contentTally))
        : response
    } catch (error) {
      return failureResponse(error, request, contentTally)
    }
  }

  /** Called after `database.currentState()`, so that settings and cached rows are current. */
  function answerWithCurrentState(
    request: PeerRequest,
    send: SendContent,
    path: string,
  ): Answer | Promise<Answer> {
    const { FILES_HOST } = settings.current()
    if (!mayAccessFiles(request, FILES_HOST)) throw failure.routeUnknown()
    if (request.method === 'OPTIONS') return answerPreflight(request, CONTENT_METHODS)
    if (!CONTENT_METHODS.includes(request.method)) throw failure.methodUnknown(CONTENT_METHODS)
    return send(request, decodePath(path))
  }

  return request => {
    const path = pathOf(request.url)
    if (path.startsWith(FILES_ROUTE))
      return answer(request, serve.sendFile, path.slice(FILES_ROUTE.length), tally.files)
    for (const { route, send } of derivedRoutes)
      if (path.startsWith(route)) return answer(request, send, path.slice(route.length), tally.previews)
    if (path.startsWith(PICTURE_SIZES_ROUTE))
      return answer(request, serve.sendSize, path.slice(PICTURE_SIZES_ROUTE.length), tally.sizes)
    return null
  }
}

/** Valid paths need no percent-encoding, but a client may use it. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    throw failure.fileAbsent()
  }
}
