/**
 * The backup feature: a daily backup job, routes, and a job that makes archives unreadable for other users.
 */

import { VERSION } from '../../base/version.ts'
import { DAY } from '../../contract/values/units.ts'
import type { FeatureParts } from '../feature.ts'
import type { Notifier } from '../notify/notify.ts'
import { backupRoutes } from './backup.route.ts'
import { createBackup } from './backup.ts'
import { createTargetWarnings } from './places/target-warnings.ts'
import { lastRehearsal } from './run/rehearsal.store.ts'

export function createBackupFeature(parts: FeatureParts & { notify: Notifier; dataDir: string }) {
  const { settings, database } = parts
  const backup = createBackup({ ...parts, version: VERSION, warningsFor: createTargetWarnings(parts) })
  return {
    lastReport: backup.lastReport,
    lastRehearsal: () => lastRehearsal(database.read),
    newestArchives: backup.newestArchives,
    stop: backup.stop,
    routes: { session: backupRoutes({ backup }) },
    jobs: [
      { name: 'archives', interval: DAY, atStart: true, run: backup.makeArchivesPrivate },
      // This job has no `lease`: `backup.run` acquires the lease itself, because a backup can also be started
      // by hand.
      {
        name: 'backup',
        dailyAt: () => settings.current().SICHERUNG_UHRZEIT,
        lastRun: backup.lastRunStartedAt,
        run: backup.run,
      },
    ],
  }
}
