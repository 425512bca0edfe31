/** `/status`: the health of the service. */
import type { FeatureParts } from '../feature.ts'
import type { Workers } from '../workers.ts'
import { type ChecksParts, createChecks } from './checks.ts'
import { statusRoute } from './status.route.ts'
import { instanceCreatedAt } from './status.store.ts'
import { createStatus } from './status.ts'

export function createStatusFeature(
  parts: FeatureParts &
    Pick<ChecksParts, 'space' | 'clockWatch'> &
    Pick<ChecksParts['backups'], 'lastReport' | 'lastRehearsal'> & { startedAt: number; workers: Workers },
) {
  const { database, lastReport, lastRehearsal } = parts
  const backups = { lastReport, lastRehearsal, instanceCreatedAt: () => instanceCreatedAt(database.read) }
  const checks = createChecks({ ...parts, backups, random: Math.random })
  const status = createStatus({ ...parts, checks, onAnswer: parts.workers.shareStatus })
  return { routes: { open: [statusRoute(status)] }, adoptStatus: status.adopt }
}
