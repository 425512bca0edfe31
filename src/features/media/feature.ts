/**
 * Stores, replaces and removes files. Also processes the discard list and the relocation list, which are in
 * the database and so survive a crash.
 */
import { MINUTE } from '../../contract/values/units.ts'
import type { FeatureParts } from '../feature.ts'
import { createDiscards } from './discards.ts'
import { createLeftovers } from './leftovers.ts'
import { mediaRoutes } from './media.route.ts'
import { createMedia, type MediaParts } from './media.ts'
import { createRelocations } from './relocations.ts'

export function createMediaFeature(
  parts: FeatureParts &
    Pick<MediaParts, 'isDerivable' | 'onStored' | 'onUpload' | 'recordTimeLimit'> & {
      /** Milliseconds from discarding an object to removing it. */
      discardDelay: number
    },
) {
  const discards = createDiscards({ ...parts, delay: parts.discardDelay })
  const relocations = createRelocations({ ...parts, discards })
  const leftovers = createLeftovers({ ...parts, discards })
  const media = createMedia({ ...parts, discards, relocations, onLeftover: leftovers.add })
  return {
    media,
    discards,
    leftovers,
    relocations,
    routes: { token: mediaRoutes({ ...parts, media }) },
    jobs: [
      // No `lease`: runs in every process, since each knows only the objects of its own failed uploads.
      { name: 'failed uploads', interval: MINUTE, run: leftovers.run },
      {
        name: 'discard list',
        lease: 'discards' as const,
        interval: MINUTE,
        atStart: true,
        run() {
          // Objects discarded just before the service stopped may not be due yet when it starts again. `kick`
          // schedules a run for them.
          discards.kick()
          return discards.run()
        },
      },
      {
        name: 'relocation list',
        lease: 'relocations' as const,
        interval: MINUTE,
        atStart: true,
        run: relocations.run,
      },
    ],
  }
}
