/** `GET /metrics`: for a monitoring program, nobody else learns that it is there. */
import { failure } from '../../errors.ts'
import type { Peers } from '../../http/client-address.ts'
import type { Route } from '../../http/routes.ts'
import type { MayRead } from './access.ts'
import { EXPOSITION_TYPE } from './exposition.ts'

export function metricsRoute(parts: { metrics: () => Promise<string>; mayRead: MayRead }): Route<null> {
  return {
    method: 'GET',
    path: '/metrics',
    api: {
      summary: 'Messwerte für Prometheus; vom selben Rechner aus oder mit METRICS_TOKEN',
      answerType: 'text/plain',
    },
    async handle({ req, env }) {
      if (!parts.mayRead(req.raw, (env as { peers: Peers }).peers)) throw failure.routeUnknown()
      return new Response(await parts.metrics(), { headers: { 'Content-Type': EXPOSITION_TYPE } })
    },
  }
}
