/** Maintenance: makes missing previews and WebP variants in rounds, on request. */

import type { Images } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import { createLackingFilesFinder } from './lacking-files.ts'
import { maintenanceRoutes } from './maintenance.route.ts'
import { createRoundRunner, type RoundsParts } from './rounds.ts'

export function createMaintenanceFeature(
  parts: FeatureParts & Pick<RoundsParts, 'remake' | 'enlist' | 'publish'> & { images: Images },
) {
  const findLackingFiles = createLackingFilesFinder({ ...parts, encoderName: parts.images.encoder })
  return { routes: { session: maintenanceRoutes(createRoundRunner({ ...parts, findLackingFiles })) } }
}
