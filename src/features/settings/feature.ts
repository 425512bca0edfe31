/** The dashboard's routes for reading and changing settings. */
import type { FeatureParts } from '../feature.ts'
import { createSettingsEditor } from './edit-settings.ts'
import { settingsRoutes } from './settings.route.ts'
import type { ResolvedSettings } from './settings.ts'

export const createSettingsFeature = (parts: FeatureParts & { settings: ResolvedSettings }) => ({
  routes: { session: settingsRoutes({ ...parts, editor: createSettingsEditor(parts) }) },
})
