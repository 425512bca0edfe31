/** Resumable uploads with a token, with a ticket and in the dashboard. */

import type { Delays } from '../../config/delays.ts'
import { DASHBOARD_TUS_ROUTE, TICKET_TUS_ROUTE, TUS_ROUTE } from '../../contract/upload/tus-wire.ts'
import { HOUR } from '../../contract/values/units.ts'
import type { SessionRoute } from '../../http/route-rights.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import type { Upload } from '../upload/upload.ts'
import { sessionEntryPoint, ticketEntryPoint, tokenEntryPoint } from './entry-points.ts'
import { sweepUploads } from './sweep.ts'
import { tusRoutes } from './tus.route.ts'
import { createTus } from './tus.ts'
import { unfinishedRoute } from './unfinished.route.ts'

interface TusFeatureParts extends FeatureParts {
  media: Media
  upload: Upload
  removeMetadata: RemoveMetadata
  clockWatch: ClockWatch
  delays: Pick<Delays, 'uploadLockRenewal'>
}

export function createTusFeature(parts: TusFeatureParts) {
  const tus = createTus(parts)
  return {
    stop: tus.stop,
    routes: {
      token: tusRoutes({ ...parts, tus }, TUS_ROUTE, tokenEntryPoint(parts)),
      ticket: tusRoutes({ ...parts, tus }, TICKET_TUS_ROUTE, ticketEntryPoint(parts)),
      session: [
        unfinishedRoute(parts),
        ...tusRoutes({ ...parts, tus }, DASHBOARD_TUS_ROUTE, sessionEntryPoint(parts)).map(
          (route): SessionRoute => ({ ...route, role: 'redaktion' }),
        ),
      ],
    },
    jobs: [
      {
        name: 'unfinished uploads',
        lease: 'partial-uploads' as const,
        interval: HOUR,
        atStart: true,
        run: (signal: AbortSignal) => sweepUploads({ ...parts, tus }, signal),
      },
    ],
  }
}
