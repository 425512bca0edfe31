/** Drop links, with which people without an account upload files. */

import { GIGABYTE } from '../../contract/values/units.ts'
import { failure } from '../../errors/errors.ts'
import { createFindClientAddress } from '../../http/access/client-address.ts'
import { createVisitorLimiter, type VisitorLimits } from '../../http/access/visitors.ts'
import type { RenderError } from '../../http/answers/render-error.ts'
import type { DiskSpace } from '../../storage/local/space.ts'
import type { FeatureParts } from '../feature.ts'
import type { Upload } from '../upload/upload.ts'
import { dropRoutes } from './drops.route.ts'
import { createDrops } from './drops.ts'
import { createHandIn } from './hand-in.ts'
import { publicDropRoutes } from './public-drop.route.ts'

const VISITOR_LIMITS: VisitorLimits = {
  concurrent: { visitor: 6, link: 24, all: 48 },
  hourly: { files: 2000, bytes: 8 * GIGABYTE },
}

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
  const visitorLimiter = createVisitorLimiter({
    ...parts,
    limits: VISITOR_LIMITS,
    createRefusal: failure.dropsCrowded,
  })
  const clientAddress = createFindClientAddress(parts.trustedProxies)
  return {
    routes: {
      open: publicDropRoutes({ ...parts, drops, handIn, visitorLimiter, findClientAddress: clientAddress }),
      session: dropRoutes({ ...parts, drops }),
    },
  }
}
