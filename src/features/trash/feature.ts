/** The dashboard's trash: list, restore, empty, and the hourly job that removes old entries. */
import { HOUR } from '../../contract/values/units.ts'
import type { FeatureParts } from '../feature.ts'
import { trashRoutes } from './trash.route.ts'
import { createTrash, type TrashParts } from './trash.ts'
import { createTrashPreview } from './trash-preview.ts'

export function createTrashFeature(parts: FeatureParts & TrashParts) {
  const trash = createTrash(parts)
  const preview = createTrashPreview(parts)
  return {
    routes: { session: trashRoutes({ ...parts, trash, preview }) },
    jobs: [{ name: 'trash', lease: 'trash' as const, every: HOUR, atStart: true, run: trash.cleanUp }],
  }
}
