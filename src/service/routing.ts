/**
 * Finds the route of a request: the dashboard's API with a router of its own, then the dashboard's pages,
 * then all other routes by scope. The dashboard's API accepts no tokens and sends no CORS headers.
 */
import { failure } from '../errors/errors.ts'
import { keyScope } from '../features/compat/key-scope.ts'
import { REFUSED_CALLS } from '../features/compat/refused-calls.ts'
import type { FeatureParts, RoutesByAccess } from '../features/feature.ts'
import { createDashboardRouter } from '../features/session/dashboard-router.ts'
import type { Factors } from '../features/session/factors/factors.ts'
import type { Sessions } from '../features/session/sessions.ts'
import { ticketScope } from '../features/tickets/ticket-scope.ts'
import type { Tickets } from '../features/tickets/tickets.ts'
import { tokenScope } from '../features/tokens/bearer-header.ts'
import type { Tokens } from '../features/tokens/tokens.ts'
import { addTusHeaders, isTusRequest } from '../features/tus/answer-headers.ts'
import type { BuiltFiles } from '../features/web/built-files.ts'
import { webRoute } from '../features/web/web.route.ts'
import { createFindClientAddress, type PeerAddresses } from '../http/access/client-address.ts'
import { withCors } from '../http/answers/cors.ts'
import type { RenderError } from '../http/answers/render-error.ts'
import { createRouter, dispatch, mountWithCors, publicScope } from '../http/routes.ts'
import type { IncomingRequest } from '../http/server/http-server.ts'
import { pathOf } from '../http/url-parts.ts'
import { healthRoute } from './health.route.ts'

export interface RoutingParts extends FeatureParts {
  routes: RoutesByAccess
  tokens: Tokens
  tickets: Tickets
  sessions: Sessions
  factors: Factors
  trustedProxies: readonly string[]
  webFiles: BuiltFiles
  renderError: RenderError
}

export function createRouting(parts: RoutingParts) {
  const { routes, tokens, tickets, renderError, trustedProxies, webFiles } = parts
  const answerDashboardApi = createDashboardRouter({
    ...parts,
    clientAddress: createFindClientAddress(trustedProxies),
    visitorRoutes: routes.visitor,
    sessionRoutes: routes.session,
  })
  const router = createRouter()
  mountWithCors(router, publicScope, routes.open)
  mountWithCors(router, tokenScope(tokens), routes.token)
  mountWithCors(router, ticketScope(tickets), routes.ticket)
  for (const { path, refuse } of REFUSED_CALLS) router.all(path, refuse)
  mountWithCors(router, keyScope(tokens), routes.key)
  router.notFound(() => withCors(renderError(failure.routeUnknown())))
  router.onError(error => renderError(error))

  // Pages of the dashboard are served at addresses that no route above answers.
  const isOtherRoute = (path: string) => router.router.match('GET', path)[0].length > 0
  const findWebAnswer = webRoute({ ...parts, files: webFiles, isOtherRoute })

  return {
    async answer(request: IncomingRequest, peers: PeerAddresses) {
      const response =
        (await answerDashboardApi(request, peers)) ??
        (await findWebAnswer(request)?.()) ??
        withCors(await dispatch(router, request, peers))
      return isTusRequest(request) ? addTusHeaders(request, response, parts.settings) : response
    },
    /**
     * What a request waits for before it is answered: nothing (`/health`), the current settings (a page of
     * the dashboard or a file that it loads), or the current state of the database (any other request).
     */
    neededState: (request: IncomingRequest) =>
      pathOf(request.url) === healthRoute.path ? 'nothing' : findWebAnswer(request) ? 'settings' : 'database',
  }
}
