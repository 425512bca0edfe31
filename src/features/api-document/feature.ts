/** The description of the API, made from the routes themselves. */
import type { FeatureParts, ScopedRoutes } from '../../feature.ts'
import { VERSION } from '../../version.ts'
import { apiDocumentRoutes } from './api-document.route.ts'
import type { DescribedRoute } from './openapi.ts'

export function createApiDocumentFeature(
  parts: FeatureParts & {
    /** Asked when the first reader comes: the routes of this feature are in the list themselves. */
    routes: () => ScopedRoutes
    /** Public content, which no router leads to. */
    content: readonly DescribedRoute[]
  },
) {
  const groups = () => {
    const { open, token, key, visitor, session } = parts.routes()
    return [
      { access: 'open', tag: 'content', routes: parts.content },
      { access: 'open', tag: 'open', routes: open },
      { access: 'token', tag: 'token', routes: token },
      { access: 'key', tag: 'key', routes: key },
      { access: 'visitor', routes: visitor },
      { access: 'session', routes: session },
    ] as const
  }
  return { routes: { open: apiDocumentRoutes({ ...parts, version: VERSION, groups }) } }
}
