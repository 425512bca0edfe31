/**
 * The two histories in the dashboard, of files and of the administration: what was done, when and by whom.
 */
import type { FeatureParts } from '../feature.ts'
import { historyRoutes } from './history.route.ts'
import { historyExportRoute } from './history-export.route.ts'

export const createHistoryFeature = (parts: FeatureParts) => ({
  routes: { session: [...historyRoutes(parts), historyExportRoute(parts)] },
})
