/** The feature of stored files: storing, replacing, removing, and the two lists whose work survives a crash. */
import { MINUTE } from '../../contract/units.ts'
import type { FeatureParts } from '../../feature.ts'
import { createDiscards } from './discards.ts'
import { mediaRoutes } from './media.route.ts'
import { createMedia, type MediaParts } from './media.ts'
import { createRelocations } from './relocations.ts'

export function createMediaFeature(
  parts: FeatureParts &
    Pick<MediaParts, 'derivable' | 'onStored' | 'onTokenUpload' | 'recordWithin'> & {
      /** Milliseconds from the moment a row lets an object go until the object is removed. */
      discardDelay: number
    },
) {
  const discards = createDiscards({ ...parts, delay: parts.discardDelay })
  const relocations = createRelocations({ ...parts, discards })
  const media = createMedia({ ...parts, discards })
  return {
    media,
    discards,
    relocations,
    routes: { token: mediaRoutes({ ...parts, media }) },
    jobs: [
      {
        name: 'discard list',
        task: 'discards' as const,
        every: MINUTE,
        atStart: true,
        run() {
          // What was let go just before the service stopped is not due yet at its start.
          discards.kick()
          return discards.run()
        },
      },
      {
        name: 'relocation list',
        task: 'relocations' as const,
        every: MINUTE,
        atStart: true,
        run: relocations.run,
      },
    ],
  }
}
