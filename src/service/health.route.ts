/**
 * `GET /health` reports that the process accepts requests. Every request gets 503 until the first account
 * from the environment can sign in.
 */
import { z } from 'zod'
import { failure } from '../errors/errors.ts'
import type { AnyCaller } from '../http/access/callers.ts'
import { type Route, route } from '../http/routes.ts'
import type { ServerParts } from '../http/server/http-server.ts'

export const healthRoute: Route<AnyCaller> = route('GET', '/health', {
  summary: 'Ob der Dienst Anfragen annimmt',
  answer: z.object({ ok: z.literal(true) }),
  handle: () => ({ ok: true as const }),
})

interface AnsweringApp {
  fetch: ServerParts['fetch']
  renderError(error: unknown, request: Parameters<ServerParts['fetch']>[0]): Response
}

export const answerWhenReady =
  (isReady: () => boolean, app: () => AnsweringApp): ServerParts['fetch'] =>
  request =>
    isReady() ? app().fetch(request) : app().renderError(failure.starting(), request)
