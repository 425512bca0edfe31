/** Exports the list of files as JSON, CSV or a Lua table. */
import type { FeatureParts } from '../feature.ts'
import { exportRoutes } from './export.route.ts'

export const createExportFeature = (parts: FeatureParts) => ({ routes: { session: exportRoutes(parts) } })
