/**
 * Uploads with a token. Tickets, resumable uploads (tus) with a token or ticket, and the compatibility routes
 * store files through `upload` too.
 */

import type { Images } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import { createCheckKinds, createReadTracks } from './bytes-kind.ts'
import { createDownscale } from './edge-limit.ts'
import type { RemoveMetadata } from './remove-metadata.ts'
import { createStoredBytes } from './stored-bytes.ts'
import { uploadRoute } from './upload.route.ts'
import { createUpload } from './upload.ts'

export function createUploadFeature(
  parts: FeatureParts & { images: Images; media: Media; removeMetadata: RemoveMetadata },
) {
  const readTracks = createReadTracks(parts)
  const checkKinds = createCheckKinds(readTracks)
  const makeStoredBytes = createStoredBytes({ ...parts, downscale: createDownscale(parts) })
  const upload = createUpload({ ...parts, checkKinds, makeStoredBytes })
  return { upload, readTracks, routes: { token: [uploadRoute({ ...parts, upload })] } }
}
