/** `GET /metrics`. Callers without permission get 404, so that they cannot tell that the route exists. */

import { failure } from '../../errors/errors.ts'
import type { AnyCaller } from '../../http/access/callers.ts'
import { type Route, route } from '../../http/routes.ts'
import type { MayReadMetrics } from './access.ts'
import { EXPOSITION_TYPE } from './exposition.ts'

export function metricsRoute(parts: {
  metrics: () => Promise<string>
  mayRead: MayReadMetrics
}): Route<AnyCaller> {
  return route('GET', '/metrics', {
    summary: 'Messwerte für Prometheus; vom selben Rechner aus oder mit METRICS_TOKEN',
    answerType: 'text/plain',
    async handle({ request }, { peers }: AnyCaller) {
      if (!parts.mayRead(request, peers)) throw failure.routeUnknown()
      return new Response(await parts.metrics(), { headers: { 'Content-Type': EXPOSITION_TYPE } })
    },
  })
}
