/** `GET /health`: proves only that the process accepts requests; while it starts `main.ts` answers 503 to all of them. */
import { z } from 'zod'
import { jsonRoute } from './described.ts'
import type { Route } from './routes.ts'

export const healthRoute: Route<null> = jsonRoute({
  method: 'GET',
  path: '/health',
  summary: 'Ob der Dienst Anfragen annimmt',
  answer: z.object({ ok: z.literal(true) }),
  handle: () => ({ ok: true as const }),
})
