/** Share links: signed-in users create them, everybody with a link can read it. */

import type { RenderError } from '../../http/answers/render.ts'
import type { FeatureParts } from '../feature.ts'
import { shareRoute } from './public-share.route.ts'
import { shareRoutes } from './shares.route.ts'
import { createShares } from './shares.ts'

export { PUBLIC_SHARE_ROUTES } from './public-share.route.ts'

export function createSharesFeature(parts: FeatureParts & { renderError: RenderError }) {
  const shares = createShares(parts)
  return {
    /** Null if the request is for another route. */
    answer: shareRoute({ ...parts, shares }),
    routes: { session: shareRoutes({ ...parts, shares }) },
  }
}
