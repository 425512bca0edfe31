/** `GET /api/openapi.json` for programs, `GET /api/docs` for people, `GET /llms.txt` for language models. */
import { z } from 'zod'
import type { Anybody } from '../../http/access/callers.ts'
import { languageOf } from '../../http/answers/language.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import { llmsText } from './llms-text.ts'
import type { ApiDocument, RouteGroup } from './openapi.ts'

const DOCUMENT = '/api/openapi.json'
const PAGE = '/api/docs'
const LLMS = '/llms.txt'

interface ApiDocumentParts {
  settings: Settings
  version: string
  /** Called at the first request: the groups contain the routes of this file too. */
  groups: () => readonly RouteGroup[]
}

export function apiDocumentRoutes({ settings, version, groups }: ApiDocumentParts): Route<Anybody>[] {
  let document: ((publicUrl: string) => ApiDocument) | undefined
  async function current(): Promise<ApiDocument> {
    // The generator is loaded at the first request: most services get none, and it takes memory and startup
    // time.
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
    route('GET', LLMS, {
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
