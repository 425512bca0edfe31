/** The statistics of the dashboard: figures by day, and the job that keeps them. */
import { MINUTE } from '../../contract/units.ts'
import type { FeatureParts } from '../../feature.ts'
import { createKeepDays } from './keep-days.ts'
import { statisticsRoutes } from './statistics.route.ts'

export const createStatisticsFeature = (parts: FeatureParts) => ({
  routes: { session: statisticsRoutes(parts) },
  jobs: [
    {
      name: 'statistics',
      task: 'statistics' as const,
      every: MINUTE,
      atStart: true,
      run: createKeepDays(parts),
    },
  ],
})
