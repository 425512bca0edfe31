/** `GET /metrics`. Callers without permission get 404, so that they do not learn of the route. */

import { failure } from '../../errors/errors.ts'
import type { Anybody } from '../../http/access/callers.ts'
import { type Route, route } from '../../http/routes.ts'
import type { MayRead } from './access.ts'
import { EXPOSITION_TYPE } from './exposition.ts'

export function metricsRoute(parts: { metrics: () => Promise<string>; mayRead: MayRead }): Route<Anybody> {
  return route('GET', '/metrics', {
    summary: 'Messwerte für Prometheus; vom selben Rechner aus oder mit METRICS_TOKEN',
    answerType: 'text/plain',
    async handle({ request }, { peers }: Anybody) {
      if (!parts.mayRead(request, peers)) throw failure.routeUnknown()
      return new Response(await parts.metrics(), { headers: { 'Content-Type': EXPOSITION_TYPE } })
    },
  })
}
