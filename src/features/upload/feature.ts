/** Uploads with a token, and the deposit that every upload with a key goes through. */

import type { Images } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import { createCheckKinds, createReadTracks } from './bytes-kind.ts'
import { createDeposit } from './deposit.ts'
import { createDownscale } from './downscale.ts'
import type { RemoveMetadata } from './remove-metadata.ts'
import { uploadRoute } from './upload.route.ts'
import { createUpload } from './upload.ts'

export function createUploadFeature(
  parts: FeatureParts & { images: Images; media: Media; removeMetadata: RemoveMetadata },
) {
  const readTracks = createReadTracks(parts)
  const checkKinds = createCheckKinds(readTracks)
  const deposit = createDeposit({ ...parts, checkKinds, downscale: createDownscale(parts) })
  const upload = createUpload({ ...parts, deposit })
  return { deposit, readTracks, routes: { token: [uploadRoute({ ...parts, upload, deposit })] } }
}
