/** The feature that serves stored content, `/f/` and `/t/`. Its requests are answered before any router. */
import type { FeatureParts } from '../../feature.ts'
import { serveRoute } from './serve.route.ts'
import { createServe, type ServeParts } from './serve.ts'

export { CONTENT_ROUTES } from './serve.route.ts'

type Parts = FeatureParts & ServeParts & Omit<Parameters<typeof serveRoute>[0], 'serve'>

export function createServeFeature(parts: Parts) {
  /** Answers a request for stored content; null when the request is for another route. */
  return { answer: serveRoute({ ...parts, serve: createServe(parts) }) }
}
