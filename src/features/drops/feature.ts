/** Drop links: people without an account upload files. */

import { createClientAddress } from '../../http/access/client-address.ts'
import type { RenderError } from '../../http/answers/render.ts'
import type { DiskSpace } from '../../storage/local/space.ts'
import type { FeatureParts } from '../feature.ts'
import type { Upload } from '../upload/upload.ts'
import { dropRoutes } from './drops.route.ts'
import { createDrops } from './drops.ts'
import { createHandIn } from './hand-in.ts'
import { publicDropRoutes } from './public-drop.route.ts'
import { createVisitors } from './visitors.ts'

export function createDropsFeature(
  parts: FeatureParts & {
    upload: Upload
    space: () => Promise<DiskSpace | null>
    trustedProxies: readonly string[]
    renderError: RenderError
  },
) {
  const drops = createDrops(parts)
  const handIn = createHandIn(parts)
  const visitors = createVisitors(parts)
  const clientAddress = createClientAddress(parts.trustedProxies)
  return {
    routes: {
      open: publicDropRoutes({ ...parts, drops, handIn, visitors, clientAddress }),
      session: dropRoutes({ ...parts, drops }),
    },
  }
}
