/**
 * Integrity: compares stored files with their rows. Every file is read again about every thirty days, orphans
 * (objects without a row) are removed every night and on demand, and a full check can be started by hand.
 */

import { HOUR } from '../../contract/values/units.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import { createRecordedDailyJob } from '../../jobs/daily-job-in-database.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import type { Events } from '../events/events.ts'
import type { FeatureParts } from '../feature.ts'
import type { Notifier } from '../notify/notify.ts'
import { integrityRoutes } from './integrity.route.ts'
import { createIntegrity } from './integrity.ts'
import { nightlySweep } from './nightly.ts'
import { createOrphans } from './orphans.ts'
import { createRateLimit } from './rate-limit.ts'
import { createScrub, SCRUB_INTERVAL } from './scrub.ts'

/** The local time of the nightly sweep, after the default time of the backup. */
const SWEEP_TIME = '04:30'

interface IntegrityFeatureParts extends FeatureParts {
  notify: Notifier
  publish: Events['publish']
  clockWatch: ClockWatch
}

export function createIntegrityFeature(parts: IntegrityFeatureParts) {
  const { storage, clockWatch } = parts
  const scrub = createScrub({ ...parts, limitRate: createRateLimit() })
  const integrity = createIntegrity({ ...parts, scrub })
  return {
    summary: integrity.summary,
    stop: integrity.stop,
    routes: { session: integrityRoutes({ integrity, orphans: createOrphans(parts) }) },
    jobs: [
      // This job has no `lease`, because each process removes its own staged files, and takes the lock of an
      // exited process before it removes the files of that process.
      {
        name: 'staging',
        interval: HOUR,
        atStart: true,
        run: async () => (await clockWatch.mayRemoveByAge()) && storage.clearStaging(SWEEP_AGE),
      },
      createRecordedDailyJob(parts, {
        name: 'orphan sweep',
        lease: 'sweep',
        dailyAt: () => SWEEP_TIME,
        run: signal => nightlySweep(parts, signal),
      }),
      { name: 'integrity', lease: 'scrub' as const, interval: SCRUB_INTERVAL, run: scrub.readSlice },
    ],
  }
}
