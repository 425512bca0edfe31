/**
 * Answers `/api/dash` and everything below it with a router of its own, so that neither the token check nor
 * the CORS headers of the token API apply to a dashboard route.
 */

import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { failure } from '../../errors/errors.ts'
import type { Visitor } from '../../http/access/callers.ts'
import type { FindClientAddress, PeerAddresses } from '../../http/access/client-address.ts'
import { mayAccessOnlyFiles } from '../../http/access/files-host.ts'
import type { RenderError } from '../../http/answers/render-error.ts'
import type { SessionRoute } from '../../http/route-rights.ts'
import {
  createRouter,
  dispatch,
  mountRoutes,
  ROUTE_METHODS,
  type Route,
  withHeadMethod,
} from '../../http/routes.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { pathOf } from '../../http/url-parts.ts'
import type { Settings } from '../settings/settings.ts'
import type { Factors } from './factors/factors.ts'
import { sessionScope, visitorScope, withRightsCheck } from './session-scope.ts'
import type { Sessions } from './sessions.ts'

/**
 * Default headers of dashboard answers, which are meant for one person and for this host only. A route may
 * override them.
 */
const DEFAULT_HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** Answers a request; null if its path is neither `/api/dash` nor below it. */
export type DashboardRouter = (request: IncomingRequest, peers: PeerAddresses) => Promise<Response> | null

interface DashboardRouterParts {
  sessions: Sessions
  factors: Factors
  settings: Settings
  clientAddress: FindClientAddress
  renderError: RenderError
  /** The few routes that need no session, such as the login. */
  visitorRoutes: readonly Route<Visitor>[]
  /** All routes that need a session. */
  sessionRoutes: readonly SessionRoute[]
}

export function createDashboardRouter(parts: DashboardRouterParts): DashboardRouter {
  const { sessions, factors, settings, clientAddress, renderError } = parts
  const signedInScope = sessionScope({ sessions, settings, clientAddress })
  const visitorsScope = visitorScope({ settings, clientAddress })
  const router = createRouter()
  mountRoutes(router, visitorsScope, parts.visitorRoutes)
  for (const route of parts.sessionRoutes)
    mountRoutes(router, withRightsCheck(signedInScope, route, factors), [route])

  const visitorPaths = new Set(parts.visitorRoutes.map(route => route.path))
  router.notFound(async ({ req, env }) => {
    // The scope is checked first: without a session the answer is 401, whether the route exists or not. Only
    // the paths of visitor routes need no session.
    await (visitorPaths.has(req.path) ? visitorsScope : signedInScope)(req.raw, env.peers)
    const routeMethods = ROUTE_METHODS.filter(method => router.router.match(method, req.path)[0].length > 0)
    if (routeMethods.length === 0) throw failure.routeUnknown()
    throw failure.methodUnknown(withHeadMethod(routeMethods))
  })
  router.onError(error => renderError(error))

  async function answer(request: IncomingRequest, peers: PeerAddresses): Promise<Response> {
    const { FILES_HOST } = settings.current()
    const isForFilesHost = mayAccessOnlyFiles(request, FILES_HOST)
    const response = isForFilesHost
      ? renderError(failure.routeUnknown())
      : await dispatch(router, request, peers)
    for (const [name, value] of Object.entries(DEFAULT_HEADERS)) {
      if (!response.headers.has(name)) response.headers.set(name, value)
    }
    return response
  }

  return (request, peers) => {
    const path = pathOf(request.url)
    return path === DASHBOARD_ROUTE || path.startsWith(`${DASHBOARD_ROUTE}/`) ? answer(request, peers) : null
  }
}
