/**
 * Serves stored content: `/f/`, `/t/` and `/b/`, which bypass the router, and files and previews for the
 * dashboard.
 */
import type { FeatureParts } from '../feature.ts'
import { dashContentRoutes } from './dash-content.route.ts'
import { serveRoute } from './serve.route.ts'
import { createServe, type ServeParts } from './serve.ts'

export { CONTENT_ROUTES } from './serve.route.ts'

type ServeFeatureParts = FeatureParts & ServeParts & Omit<Parameters<typeof serveRoute>[0], 'serve'>

export function createServeFeature(parts: ServeFeatureParts) {
  const serve = createServe(parts)
  return {
    /** Answers a request; null if it is for another route. */
    answer: serveRoute({ ...parts, serve }),
    close: serve.close,
    routes: { session: dashContentRoutes({ ...parts, serve }) },
  }
}
