/**
 * The dashboard's trash: list, content, restore, empty. An hourly job removes entries that are too old, and
 * the oldest ones if the trash is too large.
 */
import { HOUR } from '../../contract/values/units.ts'
import type { FeatureParts } from '../feature.ts'
import { createTrashContent } from './send-content.ts'
import { trashRoutes } from './trash.route.ts'
import { createTrash, type TrashParts } from './trash.ts'

export function createTrashFeature(parts: FeatureParts & TrashParts) {
  const trash = createTrash(parts)
  const content = createTrashContent(parts)
  return {
    restore: trash.restore,
    maxBytes: trash.maxBytes,
    routes: { session: trashRoutes({ ...parts, trash, content }) },
    jobs: [{ name: 'trash', lease: 'trash' as const, interval: HOUR, atStart: true, run: trash.cleanUp }],
  }
}
