/** The statistics of the dashboard: figures by day, and the job that keeps them. */
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import { MINUTE } from '../../contract/units.ts'
import type { FeatureParts } from '../feature.ts'
import { createKeepDays } from './keep-days.ts'
import { statisticsRoutes } from './statistics.route.ts'

export const createStatisticsFeature = (parts: FeatureParts & { clockWatch: ClockWatch }) => ({
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
