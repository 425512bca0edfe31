/** `GET /health`: proves only that the process accepts requests; while it starts `main.ts` answers 503 to all of them. */
import { z } from 'zod'
import type { Anybody } from '../access/callers.ts'
import { type Route, route } from './routes.ts'

export const healthRoute: Route<Anybody> = route({
  method: 'GET',
  path: '/health',
  summary: 'Ob der Dienst Anfragen annimmt',
  answer: z.object({ ok: z.literal(true) }),
  handle: () => ({ ok: true as const }),
})
