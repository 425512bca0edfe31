/** The feature of previews and WebP variants: made in the background, sooner where a reader waits. */
import { MINUTE } from '../../contract/units.ts'
import type { FeatureParts } from '../../feature.ts'
import type { Images } from '../../images/images.ts'
import type { Discards } from '../media/discards.ts'
import { createDerive } from './derive.ts'
import { createDeriveQueue } from './queue.ts'
import { createRemake } from './remake.ts'

export { isDerivable } from './derive.ts'

export function createPreviewsFeature(parts: FeatureParts & { images: Images; discards: Discards }) {
  const queue = createDeriveQueue({ ...parts, derive: createDerive(parts), hurry: parts.images.hurry })
  return {
    queue,
    remake: createRemake(parts),
    jobs: [
      {
        name: 'derived files',
        task: 'derived' as const,
        every: MINUTE,
        atStart: true,
        run: queue.workOff,
      },
    ],
  }
}
