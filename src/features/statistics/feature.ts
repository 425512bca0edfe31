/** Dashboard figures: the overview, and the statistics by day with the job that maintains them. */

import { MINUTE } from '../../contract/values/units.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import type { FeatureParts } from '../feature.ts'
import { createStatisticsJob } from './keep-days.ts'
import { type OverviewParts, overviewRoute } from './overview.route.ts'
import { statisticsRoutes } from './statistics.route.ts'

export const createStatisticsFeature = (
  parts: FeatureParts & OverviewParts & { clockWatch: ClockWatch },
) => ({
  routes: { session: [overviewRoute(parts), ...statisticsRoutes(parts)] },
  jobs: [
    {
      name: 'statistics',
      lease: 'statistics' as const,
      interval: MINUTE,
      atStart: true,
      run: createStatisticsJob(parts),
    },
  ],
})
