/** The public routes of a drop link: `GET /u/<key>` is its page, `POST /u/<key>` receives files. */

import { z } from 'zod'
import { dropForm, dropUploadAnswer } from '../../contract/files/drops.ts'
import { DROP_ROUTE } from '../../contract/paths/addresses.ts'
import { digestHeaders } from '../../contract/upload/upload.ts'
import { Failure } from '../../errors/errors.ts'
import type { AnyCaller } from '../../http/access/callers.ts'
import { type FindClientAddress, networkOf } from '../../http/access/client-address.ts'
import type { VisitorLimiter } from '../../http/access/visitors.ts'
import { prefersHtml } from '../../http/answers/accept.ts'
import { pageLanguageOf } from '../../http/answers/language.ts'
import type { RenderError } from '../../http/answers/render-error.ts'
import { type Route, route } from '../../http/routes.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { Settings } from '../settings/settings.ts'
import { errorPage } from '../shares/error.page.ts'
import { uploadLimit } from '../upload/size-limit.ts'
import { DROP_PAGE_HEADERS, dropPage } from './drop.page.ts'
import type { DropRow } from './drops.store.ts'
import type { Drops } from './drops.ts'
import { allowedKindsOf, type HandIn, sizeLimitOf } from './hand-in.ts'

interface PublicDropParts {
  drops: Drops
  handIn: HandIn
  visitorLimiter: VisitorLimiter
  settings: Settings
  findClientAddress: FindClientAddress
  renderError: RenderError
}

const PATH = `${DROP_ROUTE}:schluessel`

export function publicDropRoutes(parts: PublicDropParts): Route<AnyCaller>[] {
  const { drops, handIn, visitorLimiter, settings, findClientAddress: clientAddress, renderError } = parts

  function pageResponse(request: IncomingRequest, link: DropRow): Response {
    const html = dropPage({
      serviceName: settings.current().DIENST,
      language: pageLanguageOf(request),
      visitorNote: link.note,
      kinds: allowedKindsOf(link),
      maxBytes: sizeLimitOf(link, uploadLimit(settings)).bytes,
      validUntil: link.valid_until,
      isFull: link.files >= link.max_files,
    })
    return new Response(html, { headers: DROP_PAGE_HEADERS })
  }

  return [
    route('GET', PATH, {
      summary: 'Die Seite, auf der man Dateien abgibt',
      answerTypes: { 'text/html': z.string() },
      async handle({ request, param }) {
        try {
          return pageResponse(request, await drops.find(param('schluessel')))
        } catch (error) {
          if (!(error instanceof Failure) || !prefersHtml(request.headers.get('Accept'))) throw error
          return errorPage(error, renderError(error), settings.current())
        }
      },
    }),
    route('POST', PATH, {
      summary: 'Gibt Dateien ab; jede wird für sich angenommen oder abgelehnt',
      handlerInput: { headers: digestHeaders, forms: { 'multipart/form-data': dropForm } },
      answer: dropUploadAnswer,
      async handle({ request, param, answerHeaders }, { peers }: AnyCaller) {
        const link = await drops.find(param('schluessel'))
        using visit = visitorLimiter.beginTransfer(networkOf(clientAddress(request, peers)), link.key)
        const { storedFiles, refusedFiles } = await handIn(request, link, visit.recordTransfer)
        answerHeaders.set('Referrer-Policy', 'no-referrer')
        return {
          gespeichert: storedFiles,
          abgelehnt: refusedFiles.map(({ name, reason }) => ({
            name,
            grund: reason.sentence,
            code: reason.code,
          })),
        }
      },
    }),
  ]
}
