/** What was done to files and to the settings, and by whom. */
import type { FeatureParts } from '../../feature.ts'
import { historyRoutes } from './history.route.ts'

export const createHistoryFeature = (parts: FeatureParts) => ({ routes: { session: historyRoutes(parts) } })
