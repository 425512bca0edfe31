/**
 * The compatibility routes: they implement the API of a third-party media host, so that its clients work
 * unchanged.
 */
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import type { ReadTracks } from '../upload/bytes-kind.ts'
import type { Upload } from '../upload/upload.ts'
import { compatRoutes } from './compat.route.ts'
import { createDetectType } from './detect-type.ts'
import { createStoreCompat } from './store-compat.ts'

export function createCompatFeature(
  parts: FeatureParts & { media: Media; upload: Upload; readTracks: ReadTracks },
) {
  const store = createStoreCompat({ ...parts, detectType: createDetectType(parts.readTracks) })
  return { routes: { key: compatRoutes({ ...parts, store }) } }
}
