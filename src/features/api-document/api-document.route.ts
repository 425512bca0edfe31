/** `GET /api/openapi.json` for programs, `GET /api/docs` for people, `GET /llms.txt` for language models. */
import { z } from 'zod'
import type { AnyCaller } from '../../http/access/callers.ts'
import { pageLanguageOf } from '../../http/answers/language.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import { llmsText } from './llms-text.ts'
import type { ApiDocument, RouteGroup } from './openapi.ts'

const DOCUMENT_ROUTE = '/api/openapi.json'
const PAGE_ROUTE = '/api/docs'
const LLMS_ROUTE = '/llms.txt'

interface ApiDocumentParts {
  settings: Settings
  version: string
  /**
   * Returns all routes. Called at the first request for the document or its page: only then are all routes
   * known, including those of this file.
   */
  listRouteGroups: () => readonly RouteGroup[]
}

export function apiDocumentRoutes({
  settings,
  version,
  listRouteGroups: groups,
}: ApiDocumentParts): Route<AnyCaller>[] {
  let documentFor: ((publicUrl: string) => ApiDocument) | undefined
  async function currentDocument(): Promise<ApiDocument> {
    // The generator is loaded at the first request, because it takes memory and startup time and most
    // services never need it.
    documentFor ??= (await import('./openapi.ts')).createApiDocument(groups(), version)
    return documentFor(settings.current().PUBLIC_URL)
  }
  return [
    route('GET', DOCUMENT_ROUTE, {
      summary: 'Diese Beschreibung, für Programme (OpenAPI 3.1)',
      answer: z.looseObject({}),
      handle: async () => ({ ...(await currentDocument()) }),
    }),
    route('GET', PAGE_ROUTE, {
      summary: 'Diese Beschreibung, für Menschen',
      query: z.object({ sprache: z.enum(['de', 'en']).optional() }),
      answerType: 'text/html',
      async handle({ query, request }) {
        const { apiPage, PAGE_HEADERS } = await import('./page.ts')
        const page = apiPage(
          await currentDocument(),
          DOCUMENT_ROUTE,
          query.sprache ?? pageLanguageOf(request),
        )
        return new Response(page, { headers: { ...PAGE_HEADERS, Vary: 'Accept-Language' } })
      },
    }),
    route('GET', LLMS_ROUTE, {
      summary: 'Eine Übersicht für Sprachmodelle (llmstxt.org)',
      answerType: 'text/plain',
      handle() {
        const { DIENST, PUBLIC_URL } = settings.current()
        const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
        return new Response(llmsText({ service: DIENST, publicUrl: PUBLIC_URL }), { headers })
      },
    }),
  ]
}
