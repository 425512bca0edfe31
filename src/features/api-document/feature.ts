/** The API document, generated from the routes. */

import { VERSION } from '../../base/version.ts'
import type { FeatureParts, RoutesByAccess } from '../feature.ts'
import { apiDocumentRoutes } from './api-document.route.ts'
import type { DescribedRoute } from './openapi.ts'

export function createApiDocumentFeature(
  parts: FeatureParts & {
    /**
     * Returns all routes. Called at the first request for the document or its page: only then are all routes
     * known, including those of this feature.
     */
    routes: () => RoutesByAccess
    /** The routes of public content, such as `/f/`. The server answers them without the router. */
    contentRoutes: readonly DescribedRoute[]
  },
) {
  const groups = () => {
    const { open, token, key, ticket, visitor, session } = parts.routes()
    return [
      { access: 'open', tag: 'content', routes: parts.contentRoutes },
      { access: 'open', tag: 'open', routes: open },
      { access: 'token', tag: 'token', routes: token },
      { access: 'ticket', tag: 'ticket', routes: ticket },
      { access: 'key', tag: 'key', routes: key },
      { access: 'visitor', routes: visitor },
      { access: 'session', routes: session },
    ] as const
  }
  return { routes: { open: apiDocumentRoutes({ ...parts, version: VERSION, listRouteGroups: groups }) } }
}
