/** `GET /api/openapi.json` for programs, and `GET /api/docs` for people. */
import { z } from 'zod'
import type { Anybody } from '../../http/access/callers.ts'
import { languageOf } from '../../http/answers/language.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { ApiDocument, RouteGroup } from './openapi.ts'

const DOCUMENT = '/api/openapi.json'
const PAGE = '/api/docs'

interface ApiDocumentParts {
  settings: Settings
  version: string
  /** Called at the first request: the groups contain the routes of this file too. */
  groups: () => readonly RouteGroup[]
}

export function apiDocumentRoutes({ settings, version, groups }: ApiDocumentParts): Route<Anybody>[] {
  let document: ((publicUrl: string) => ApiDocument) | undefined
  async function current(): Promise<ApiDocument> {
    // Loaded at the first request: most services get none, and the generator takes memory and startup time.
    document ??= (await import('./openapi.ts')).createApiDocument(groups(), version)
    return document(settings.current().PUBLIC_URL)
  }
  return [
    route('GET', DOCUMENT, {
      summary: 'Diese Beschreibung, für Programme (OpenAPI 3.1)',
      answer: z.looseObject({}),
      handle: async () => ({ ...(await current()) }),
    }),
    route('GET', PAGE, {
      summary: 'Diese Beschreibung, für Menschen',
      query: z.object({ sprache: z.enum(['de', 'en']).optional() }),
      answerType: 'text/html',
      async handle({ query, request }) {
        const { apiPage, PAGE_HEADERS } = await import('./page.ts')
        const page = apiPage(await current(), DOCUMENT, query.sprache ?? languageOf(request))
        return new Response(page, { headers: { ...PAGE_HEADERS, Vary: 'Accept-Language' } })
      },
    }),
  ]
}
