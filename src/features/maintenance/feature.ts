/** Upkeep of previews and orphans: by hand in rounds, and every night by itself. */
import type { FeatureParts } from '../../feature.ts'
import type { Images } from '../../images/images.ts'
import { dailyJobInDatabase } from '../../jobs/daily-job-in-database.ts'
import { nightlySweep } from '../integrity/nightly.ts'
import { createOrphans } from '../integrity/orphans.ts'
import type { Notify } from '../notify/notify.ts'
import { createLook } from './lacking.ts'
import { maintenanceRoutes } from './maintenance.route.ts'
import { createRounds, type RoundsParts } from './rounds.ts'

/** After the backup has begun, before anybody is up. */
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
