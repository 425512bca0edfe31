/** The compatibility routes: the calls of a third-party media host, for the clients of that host. */
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import type { ReadTracks } from '../upload/bytes-kind.ts'
import type { Upload } from '../upload/upload.ts'
import { compatRoutes } from './compat.route.ts'
import { createStoreCompat } from './compat.ts'
import { createDetectType } from './detect-type.ts'

export function createCompatFeature(
  parts: FeatureParts & { media: Media; upload: Upload; readTracks: ReadTracks },
) {
  const store = createStoreCompat({ ...parts, detect: createDetectType(parts.readTracks) })
  return { routes: { key: compatRoutes({ ...parts, store }) } }
}
