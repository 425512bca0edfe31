/** Maintenance: makes missing previews and WebP variants in rounds, on request. */

import type { Images } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import { createFindLackingFiles } from './lacking-files.ts'
import { maintenanceRoutes } from './maintenance.route.ts'
import { createRunRound, type RoundsParts } from './rounds.ts'

export function createMaintenanceFeature(
  parts: FeatureParts & Pick<RoundsParts, 'remake' | 'enlist' | 'publish'> & { images: Images },
) {
  const findLackingFiles = createFindLackingFiles({ ...parts, encoderName: parts.images.encoder })
  return { routes: { session: maintenanceRoutes(createRunRound({ ...parts, findLackingFiles })) } }
}
