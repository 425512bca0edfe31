/** Retention: rules that say after how many days the files of a folder go to the trash, and the daily run. */

import { RETENTION_RUN_TIME } from '../../contract/files/retention.ts'
import { createRecordedDailyJob } from '../../jobs/daily-job-in-database.ts'
import type { FeatureParts } from '../feature.ts'
import { retentionRoutes } from './retention.route.ts'
import { createRetention, type RetentionParts } from './retention.ts'

export function createRetentionFeature(parts: FeatureParts & RetentionParts) {
  const retention = createRetention(parts)
  return {
    routes: { session: retentionRoutes(retention) },
    jobs: [
      createRecordedDailyJob(parts, {
        name: 'retention',
        lease: 'retention',
        dailyAt: () => RETENTION_RUN_TIME,
        run: retention.runDaily,
      }),
    ],
  }
}
