/** `GET /api/openapi.json` for programs, and `GET /api/docs` for people. */
import { z } from 'zod'
import type { Anybody } from '../../access/callers.ts'
import type { PageLanguage } from '../../contract/api-document.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import { createApiDocument, type RouteGroup } from './openapi.ts'
import { apiPage, PAGE_HEADERS } from './page.ts'

const DOCUMENT = '/api/openapi.json'
const PAGE = '/api/docs'

interface ApiDocumentParts {
  settings: Settings
  version: string
  /** Called only when the first reader comes: the groups contain the routes of this file too. */
  groups: () => readonly RouteGroup[]
}

export function apiDocumentRoutes({ settings, version, groups }: ApiDocumentParts): Route<Anybody>[] {
  let document: ReturnType<typeof createApiDocument> | undefined
  const current = () => {
    document ??= createApiDocument(groups(), version)
    return document(settings.current().PUBLIC_URL)
  }
  return [
    route('GET', DOCUMENT, {
      summary: 'Diese Beschreibung, für Programme (OpenAPI 3.1)',
      answer: z.looseObject({}),
      handle: () => ({ ...current() }),
    }),
    route('GET', PAGE, {
      summary: 'Diese Beschreibung, für Menschen',
      query: z.object({ sprache: z.enum(['de', 'en']).optional() }),
      answerType: 'text/html',
      handle: ({ query, request }) =>
        new Response(apiPage(current(), DOCUMENT, query.sprache ?? languageOf(request)), {
          headers: { ...PAGE_HEADERS, Vary: 'Accept-Language' },
        }),
    }),
  ]
}

/** German, like the rest of the service, unless the reader's browser prefers another language. */
function languageOf(request: Request): PageLanguage {
  const preferred = request.headers.get('Accept-Language')?.trim().toLowerCase() ?? 'de'
  return preferred.startsWith('de') || preferred === '' || preferred === '*' ? 'de' : 'en'
}
