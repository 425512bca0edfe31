/**
 * Stored content for the pages of the dashboard, from the same origin as the dashboard. So the dashboard can
 * show files even before the public address works, and its views are not counted as retrievals.
 */

import { DASH_FILES_ROUTE, DASH_PREVIEWS_ROUTE } from '../../contract/paths/addresses.ts'
import { fileHeaders } from '../../contract/upload/upload.ts'
import { failure } from '../../errors/errors.ts'
import { fileTarget, type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { responseOf } from '../../http/server/answers.ts'
import type { Settings } from '../settings/settings.ts'
import { contentAnswers } from './serve.route.ts'
import type { Serve } from './serve.ts'

export function dashContentRoutes(parts: { serve: Serve; settings: Settings }): SessionRoute[] {
  const { serve, settings } = parts

  const contentRoute = (routePrefix: string, summary: string, answerType: string, send: Serve['sendFile']) =>
    sessionRoute('GET', `${routePrefix}:pfad{.+}`, {
      role: 'ansicht',
      targets: fileTarget,
      summary,
      handlerInput: { headers: fileHeaders },
      answerType,
      answers: contentAnswers(answerType),
      async handle({ param, request }) {
        // An operator who has set `FILES_HOST` wants uploaded content kept away from the origin of the
        // dashboard.
        if (settings.current().FILES_HOST !== '') throw failure.routeUnknown()
        return withPrivateHeaders(responseOf(await send(request, param('pfad'))))
      },
    })

  return [
    contentRoute(
      DASH_FILES_ROUTE,
      'Liefert eine Datei aus wie /f/, ohne den Abruf zu zählen; solange FILES_HOST gesetzt ist: 404',
      '*/*',
      serve.sendFileUncounted,
    ),
    contentRoute(
      DASH_PREVIEWS_ROUTE,
      'Liefert die Vorschau einer Datei aus wie /t/; solange FILES_HOST gesetzt ist: 404',
      'image/webp',
      serve.sendDerived('preview'),
    ),
  ]
}

/**
 * Removes the CORS headers of a public answer, and keeps other sites and shared caches from using the answer,
 * because only signed-in users may read it.
 */
export function withPrivateHeaders(response: Response): Response {
  const { headers } = response
  for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name)
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  headers.set('Cache-Control', 'private, no-cache')
  return response
}
