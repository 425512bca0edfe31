/** The histories in the dashboard: what was done to files, settings, tokens and accounts, and by whom. */
import type { FeatureParts } from '../feature.ts'
import { historyRoutes } from './history.route.ts'

export const createHistoryFeature = (parts: FeatureParts) => ({ routes: { session: historyRoutes(parts) } })
