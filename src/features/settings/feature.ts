/** The dashboard's routes for reading and changing settings. */
import type { FeatureParts } from '../../feature.ts'
import { createSettingsEditor } from './edit-settings.ts'
import { settingsRoutes } from './settings.route.ts'

export const createSettingsFeature = (parts: FeatureParts) => ({
  routes: { session: settingsRoutes({ ...parts, editor: createSettingsEditor(parts) }) },
})
