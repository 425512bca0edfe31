/** Previews and WebP variants: made in the background, sooner if a reader waits. */
import { MINUTE } from '../../contract/values/units.ts'
import type { Images, Requester } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { findByNr } from '../media/media.store.ts'
import { createDerive } from './derive.ts'
import { createDeriveQueue } from './queue.ts'
import { createRemake } from './remake.ts'

export { isDerivable } from './derive.ts'

export interface PreviewsParts extends FeatureParts {
  images: Images
  discards: Discards
  /** Called when the work on a file has ended and the file has a preview, with the path of the file. */
  onPreview: (path: string) => void
}

export function createPreviewsFeature(parts: PreviewsParts) {
  const derive = createDerive(parts)
  const deriveAndNotify = async (nr: number, requester: Requester) => {
    const leasedUntil = await derive(nr, requester)
    const row = await findByNr(parts.database.read, nr)
    if (row && row.preview_size !== null) parts.onPreview(row.path)
    return leasedUntil
  }
  const queue = createDeriveQueue({
    ...parts,
    derive: deriveAndNotify,
    prioritizeJobs: parts.images.prioritize,
  })
  return {
    queue,
    remake: createRemake(parts),
    jobs: [
      {
        name: 'derived files',
        lease: 'derived' as const,
        interval: MINUTE,
        atStart: true,
        run: queue.processPending,
      },
    ],
  }
}
