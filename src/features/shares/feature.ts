/** Share links: editors create them, and everybody who has a link can see the files in its folder. */

import { createFindClientAddress } from '../../http/access/client-address.ts'
import type { RenderError } from '../../http/answers/render-error.ts'
import type { FeatureParts } from '../feature.ts'
import { createPublicShareRoute } from './public-share.route.ts'
import { createShareZip } from './share-zip.ts'
import { shareRoutes } from './shares.route.ts'
import { createShares } from './shares.ts'

export { PUBLIC_SHARE_ROUTES } from './public-share.route.ts'

export function createSharesFeature(
  parts: FeatureParts & { renderError: RenderError; trustedProxies: readonly string[] },
) {
  const shares = createShares(parts)
  const clientAddress = createFindClientAddress(parts.trustedProxies)
  const zip = createShareZip({ ...parts, clientAddress })
  return {
    /** Answers a request; null if it is for another route. */
    answer: createPublicShareRoute({ ...parts, shares, zip }),
    routes: { session: shareRoutes({ ...parts, shares }) },
  }
}
