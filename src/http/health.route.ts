/**
 * `GET /health`: proves only that the process accepts requests. While the process starts, `main.ts` answers
 * every request with 503.
 */
import { z } from 'zod'
import type { Anybody } from './access/callers.ts'
import { type Route, route } from './routes.ts'

export const healthRoute: Route<Anybody> = route('GET', '/health', {
  summary: 'Ob der Dienst Anfragen annimmt',
  answer: z.object({ ok: z.literal(true) }),
  handle: () => ({ ok: true as const }),
})
