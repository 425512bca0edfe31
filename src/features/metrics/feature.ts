/** `/metrics`: figures for a monitoring program. */
import { hostname } from 'node:os'
import type { FeatureParts } from '../../feature.ts'
import { VERSION } from '../../version.ts'
import { createMayRead } from './access.ts'
import { metricsRoute } from './metrics.route.ts'
import { createMetrics, type MetricsParts } from './metrics.ts'

export { createTally } from './tally.ts'

export function createMetricsFeature(
  parts: FeatureParts &
    Pick<MetricsParts, 'tally' | 'jobs'> & {
      /** The token that lets other machines read the figures; null: only programs on this machine may read them. */
      metricsToken: string | null
    },
) {
  const metrics = createMetrics({ ...parts, version: VERSION, host: hostname(), startedAt: parts.now() })
  return { routes: { open: [metricsRoute({ metrics, mayRead: createMayRead(parts.metricsToken) })] } }
}
