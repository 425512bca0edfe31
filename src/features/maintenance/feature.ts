/**
 * The maintenance feature: makes missing previews and WebP variants in rounds, and finds or removes orphans, by hand
 * through the routes. Orphans are also removed every night by a job.
 */
import type { FeatureParts } from '../../feature.ts'
import type { Images } from '../../images/images.ts'
import { dailyJobInDatabase } from '../../jobs/daily-job-in-database.ts'
import { nightlySweep } from '../integrity/nightly.ts'
import { createOrphans } from '../integrity/orphans.ts'
import type { Notify } from '../notify/notify.ts'
import { createLook } from './lacking.ts'
import { maintenanceRoutes } from './maintenance.route.ts'
import { createRounds, type RoundsParts } from './rounds.ts'

/** The time of the nightly sweep: after the backup has begun, and before anybody is up. */
const SWEEP_TIME = '04:30'

export function createMaintenanceFeature(
  parts: FeatureParts &
    Pick<RoundsParts, 'remake' | 'enlist' | 'publish'> & { images: Images; notify: Notify },
) {
  const look = createLook({ ...parts, encoder: parts.images.encoder })
  const rounds = createRounds({ ...parts, look })
  return {
    routes: { session: maintenanceRoutes({ rounds, orphans: createOrphans(parts) }) },
    jobs: [
      dailyJobInDatabase(parts, {
        name: 'orphan sweep',
        task: 'sweep',
        dailyAt: () => SWEEP_TIME,
        run: signal => nightlySweep(parts, signal),
      }),
    ],
  }
}
