/** `/metrics`: figures for a monitoring program. */
import { hostname } from 'node:os'
import { VERSION } from '../../base/version.ts'
import type { FeatureParts } from '../feature.ts'
import { createMayReadMetrics } from './access.ts'
import { metricsRoute } from './metrics.route.ts'
import { collectFigures, createMetrics, type FigureSources, type MetricsParts } from './metrics.ts'

export { createTally } from './tally.ts'

export function createMetricsFeature(
  parts: FeatureParts &
    MetricsParts & {
      /** The token with which other machines may read the metrics; null: only this machine may. */
      metricsToken: string | null
    },
) {
  const metrics = createMetrics(parts)
  return { routes: { open: [metricsRoute({ metrics, mayRead: createMayReadMetrics(parts.metricsToken) })] } }
}

/** Collects the figures of this process. */
export const collectOwnFigures = (
  parts: Pick<FigureSources, 'tally' | 'startedAt' | 'connections'> & Pick<FeatureParts, 'faults' | 'now'>,
  jobs: FigureSources['jobs'],
) => collectFigures({ ...parts, jobs, now: parts.now(), version: VERSION, host: hostname() })
