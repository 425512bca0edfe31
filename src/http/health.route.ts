/** `GET /health` answers that the process accepts requests. During startup, `main.ts` answers with 503. */
import { z } from 'zod'
import type { AnyCaller } from './access/callers.ts'
import { type Route, route } from './routes.ts'

export const healthRoute: Route<AnyCaller> = route('GET', '/health', {
  summary: 'Ob der Dienst Anfragen annimmt',
  answer: z.object({ ok: z.literal(true) }),
  handle: () => ({ ok: true as const }),
})
