/** Uploads through the dashboard, including ZIP archives. */
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { dashUploadRoute } from './dash-upload.route.ts'
import { createDashUpload } from './dash-upload.ts'

export const createDashUploadFeature = (
  parts: FeatureParts & { media: Media; removeMetadata: RemoveMetadata },
) => ({
  routes: { session: [dashUploadRoute({ ...parts, upload: createDashUpload(parts) })] },
})
