/** The figures of the dashboard's first page. */
import type { FeatureParts } from '../feature.ts'
import { type OverviewParts, overviewRoute } from '../statistics/overview.route.ts'

export const createOverviewFeature = (parts: FeatureParts & OverviewParts) => ({
  routes: { session: [overviewRoute(parts)] },
})
